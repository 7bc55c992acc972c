"""What the adapters of all Transformers have; a family's own ones only say where the parts of its model are."""

from __future__ import annotations

from typing import TYPE_CHECKING

from torch import nn

from app.engine.adapters.quick_encoder import quick_model
from app.engine.text.text_tokenizer import TextTokenizer

if TYPE_CHECKING:
    from app.engine.runtime.loaded import Loaded


class TransformerAdapter:
    """A loaded Transformer as one of its heads sees it."""

    def __init__(self, loaded: Loaded) -> None:
        self.loaded, self.checkpoint, self.text = loaded, loaded.checkpoint, loaded.tokenizer(TextTokenizer)
        self.max_tokens: int = loaded.model.config.max_position_embeddings - self.reserved_positions

    @property
    def model(self) -> nn.Module:
        """The model with its heads."""
        return self.loaded.model

    @property
    def quick(self) -> nn.Module:
        """The same for answers without attentions and gradients; asked for once a pass, with the lock held."""
        return quick_model(self.loaded)

    @property
    def reserved_positions(self) -> int:
        """Rows of the position table that no token may use (RoBERTa's first two)."""
        return 0
