"""Makes the folder of texts: downloads and reads the sources, keeps the prose, writes compressed files."""

from __future__ import annotations

import fnmatch
import hashlib
import lzma
import tarfile
import tomllib
import urllib.request
import zipfile
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import islice
from pathlib import Path, PurePosixPath

from tqdm import tqdm

from app.pretraining.texts.overlap import Overlap
from app.pretraining.texts.prose import as_prose
from app.pretraining.texts.readers import READERS, Document

SOURCES = Path(__file__).with_name("sources.toml")
SMALL = 300  # documents per source with --small
EVERY = 100  # every hundredth document is kept for validation
FILE_CHARACTERS = 16_000_000  # per written file: about 5 MB compressed
TIMEOUT = 60  # seconds without a byte


@dataclass(frozen=True)
class Source:
    """One row of `sources.toml`."""

    language: str
    address: str
    files: str
    reader: str
    megabytes: float
    what: str
    licence: str
    documents: int | None = None
    characters: int | None = None


def sources(path: Path = SOURCES) -> dict[str, Source]:
    return {name: Source(**row) for name, row in tomllib.loads(path.read_text(encoding="utf-8")).items()}


def table(known: dict[str, Source]) -> str:
    """The list of sources for the command line."""
    return "\n".join(
        f"{name:16} {one.language}  {one.megabytes:>5} MB  {one.licence}\n{'':27}{one.what}"
        for name, one in known.items()
    )


def build(known: dict[str, Source], target: Path, work: Path, evaluation: Path | None, small: bool) -> None:
    """Make the texts of some sources, except those that are already there.

    Args:
        known: the sources by name.
        target: gets `en/NAME_1.txt.xz` and so on, and `valid/en_NAME.txt`.
        work: gets the archives; an interrupted download starts over.
        evaluation: a folder of evaluation sets, whose sentences are kept out.
        small: only the first few hundred documents of each source.

    Raises:
        OSError: an address cannot be reached; what was made before stays.
    """
    overlap = Overlap(evaluation) if evaluation else None
    for name, source in known.items():
        if list((target / source.language).glob(f"{name}*.txt.xz")):
            print(f"{name}: already in {target}")
            continue
        archive = fetch(source.address, work)
        documents = prose_of(documents_of(archive, source), source, overlap)
        most = min(count for count in (source.documents, SMALL if small else None, 10**9) if count is not None)
        print(f"{name}: {write(name, source.language, islice(documents, most), target)} documents")


def fetch(address: str, work: Path) -> Path:
    """The file behind an address, downloaded once; it gets its name only when it is complete."""
    work.mkdir(parents=True, exist_ok=True)
    ending = ".zip" if address.endswith(".zip") else ".tar.gz"
    whole = work / f"{hashlib.sha256(address.encode()).hexdigest()[:16]}{ending}"
    if whole.exists():
        return whole
    partial = whole.with_suffix(".partial")
    with urllib.request.urlopen(address, timeout=TIMEOUT) as answer, partial.open("wb") as out:
        size = int(answer.headers.get("Content-Length") or 0) or None
        with tqdm(total=size, unit="B", unit_scale=True, desc=address.split("/")[2]) as progress:
            while block := answer.read(1 << 20):
                out.write(block)
                progress.update(len(block))
        if size is not None and out.tell() != size:
            raise OSError(f"{address}: {out.tell():,} of {size:,} bytes came")
    return partial.rename(whole)


def documents_of(archive: Path, source: Source) -> Iterator[Document]:
    """The documents in an archive's files, in order of file names."""
    read = READERS[source.reader]
    for content in _members(archive, source.files):
        yield from read(content().decode("utf-8", errors="replace").replace("\r\n", "\n"))


def _members(archive: Path, wanted: str) -> Iterator[Callable[[], bytes]]:
    # An archive puts its files into a folder of its own name, which the pattern leaves out.
    if archive.suffix == ".zip":
        with zipfile.ZipFile(archive) as packed:
            for name in sorted(name for name in packed.namelist() if _fits(name, wanted)):
                yield lambda name=name: packed.read(name)
    else:
        with tarfile.open(archive) as packed:
            for member in sorted((m for m in packed if m.isfile() and _fits(m.name, wanted)), key=lambda one: one.name):
                yield lambda member=member: packed.extractfile(member).read()


def _fits(name: str, wanted: str) -> bool:
    inside = PurePosixPath(name).parts[1:]
    return len(inside) == len(PurePosixPath(wanted).parts) and fnmatch.fnmatchcase("/".join(inside), wanted)


def prose_of(documents: Iterator[Document], source: Source, overlap: Overlap | None) -> Iterator[Document]:
    """The prose of documents: no duplicates, nothing from evaluation sets, only the opening part if wanted."""
    seen: set[bytes] = set()
    simplified = _simplified() if source.language == "zh" else str
    for document in documents:
        kept, characters = [], 0
        for line in document:
            text = as_prose(simplified(line), source.language)
            key = hashlib.sha256(text.encode()).digest()[:12]
            if not text or key in seen or (overlap and text in overlap):
                continue
            if kept and source.characters and characters + len(text) > source.characters:
                break
            seen.add(key)
            kept.append(text)
            characters += len(text)
        if kept:
            yield kept


def _simplified() -> Callable[[str], str]:
    try:
        from opencc import OpenCC
    except ImportError:
        print("OpenCC is not installed: traditional characters stay as they are")
        return str
    return OpenCC("t2s").convert


def write(name: str, language: str, documents: Iterator[Document], target: Path) -> int:
    """Write training files and the validation file.

    Returns:
        The number of documents.
    """
    training, validation, count = [], [], 0
    for document in documents:
        (validation if count % EVERY == EVERY - 1 else training).append("\n".join(document))
        count += 1
    for number, part in enumerate(_parts(training), start=1):
        _write(target / language / f"{name}_{number}.txt.xz", part)
    if validation:
        _write(target / "valid" / f"{language}_{name}.txt", validation)
    return count


def _parts(documents: Sequence[str]) -> Iterator[list[str]]:
    part, characters = [], 0
    for document in documents:
        part.append(document)
        characters += len(document)
        if characters > FILE_CHARACTERS:
            yield part
            part, characters = [], 0
    if part:
        yield part


def _write(path: Path, documents: Sequence[str]) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    partial = path.with_name(f"{path.name}.partial")
    opened = lzma.open if path.suffix == ".xz" else open
    with opened(partial, "wt", encoding="utf-8") as out:
        out.write("\n\n".join(documents) + "\n")
    partial.rename(path)
