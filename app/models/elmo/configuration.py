"""The sizes and switches of an ELMo, under transformers' names; the defaults are the published "original" model."""

from typing import Any, Self

from huggingface_hub.dataclasses import strict
from transformers import PreTrainedConfig


@strict
class ElmoConfig(PreTrainedConfig):
    """Configuration of `ElmoModel` and `ElmoForLanguageModeling`.

    Args:
        character_vocab_size: rows of the character table: 261 byte and mark ids, and row 0 for "no word".
        character_embedding_size: size of one character's vector.
        filters: (width in characters, number of filters) of each convolution.
        num_highway_layers: highway layers after the convolutions; may be 0.
        activation: "relu" or "tanh", after the maximum over positions.
        max_characters_per_token: ids in one word's row, its two marks included.
        cell_size: size N of the LSTM cell.
        projection_size: size P of a word vector and of each direction's output; `hidden_size` is 2 P.
        num_hidden_layers: LSTM layers in each direction.
        cell_clip: bound on the absolute value of the cell; None for no bound.
        projection_clip: bound on the absolute value of the projected output; None for no bound.
        use_skip_connections: whether layers above the first add their input to their output.
        dropout: share of each LSTM layer's input, and of the top output, dropped in training.
        vocab_size: words the language-model head knows; 0 for a model without this head.
        num_sampled_words: wrong words drawn per training step in place of the whole vocabulary; 0 uses all of it.
    """

    model_type = "elmo"

    character_vocab_size: int = 262
    character_embedding_size: int = 16
    filters: list | tuple = ((1, 32), (2, 32), (3, 64), (4, 128), (5, 256), (6, 512), (7, 1024))
    num_highway_layers: int = 2
    activation: str = "relu"
    max_characters_per_token: int = 50
    cell_size: int = 4096
    projection_size: int = 512
    num_hidden_layers: int = 2
    cell_clip: float | int | None = 3.0
    projection_clip: float | int | None = 3.0
    use_skip_connections: bool = True
    dropout: float = 0.1
    vocab_size: int = 0
    num_sampled_words: int = 0
    tie_word_embeddings: bool = False

    @property
    def hidden_size(self) -> int:
        """Size of a layer's vector, which joins both directions."""
        return 2 * self.projection_size

    @property
    def num_filters(self) -> int:
        """Size of the convolutions' output over all widths."""
        return sum(count for _, count in self.filters)

    def validate_character_encoder(self) -> None:
        """Refuses impossible character encoders; surfaces as a StrictDataclassClassValidationError."""
        if self.activation not in ("relu", "tanh"):
            raise ValueError(f"activation must be 'relu' or 'tanh', not {self.activation!r}")
        widths = [width for width, _ in self.filters]
        if not widths or max(widths) > self.max_characters_per_token:
            raise ValueError(f"filter widths must lie within 1..{self.max_characters_per_token}, got {widths}")

    @classmethod
    def from_options(cls, options: dict[str, Any], **changes: Any) -> Self:
        """The configuration described by a published `options.json`.

        Args:
            options: the parsed file; a clip that is missing, null or 0 means no clip.
            changes: fields to set on top, for instance `vocab_size`.

        Raises:
            KeyError: a size is missing from the options.
        """
        lstm, characters = options["lstm"], options["char_cnn"]
        fields = dict(
            # The files say 261 (training) or 262 (use) for the same table; the loader counts its rows.
            character_vocab_size=characters.get("n_characters", 262),
            character_embedding_size=characters["embedding"]["dim"],
            filters=characters["filters"],
            num_highway_layers=characters.get("n_highway") or 0,
            activation=characters["activation"],
            max_characters_per_token=characters["max_characters_per_token"],
            cell_size=lstm["dim"],
            projection_size=lstm["projection_dim"],
            num_hidden_layers=lstm["n_layers"],
            cell_clip=lstm.get("cell_clip") or None,
            projection_clip=lstm.get("proj_clip") or None,
            use_skip_connections=bool(lstm.get("use_skip_connections", False)),
        )
        return cls(**(fields | changes))
