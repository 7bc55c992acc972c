"""Small random models, and the published reference data if available."""

from pathlib import Path

import pytest
import torch

from app.models.elmo import ElmoConfig, ElmoModel, ElmoTokenizer

REFERENCE = Path(__file__).resolve().parents[2].parent / "shared" / "elmo_fixture"


@pytest.fixture
def elmo_reference() -> Path:
    """Folder of published toy weights and the vectors published with them."""
    if not REFERENCE.is_dir():
        pytest.skip(f"no reference data at {REFERENCE.parent.name}/{REFERENCE.name} beside the repository")
    return REFERENCE


@pytest.fixture
def elmo_config() -> ElmoConfig:
    """Sizes that take milliseconds."""
    return ElmoConfig(
        character_embedding_size=4,
        filters=[[1, 4], [2, 8], [3, 16]],
        num_highway_layers=2,
        cell_size=24,
        projection_size=8,
        cell_clip=0.8,
        projection_clip=0.7,
    )


@pytest.fixture
def elmo(elmo_config: ElmoConfig) -> ElmoModel:
    """A random model whose weights are large enough for both clips to act and for context to matter."""
    torch.manual_seed(0)
    model = ElmoModel(elmo_config).eval()
    with torch.no_grad():
        for layer in model.encoder.layers:
            layer.input_weight.mul_(4)
            layer.hidden_weight.mul_(4)
            layer.projection_weight.mul_(3)
    return model


@pytest.fixture
def tokenizer() -> ElmoTokenizer:
    return ElmoTokenizer()
