"""The folder of texts is made from archives of a local server: formats, prose, exclusions, broken downloads."""

from __future__ import annotations

import functools
import http.server
import io
import lzma
import tarfile
import threading
import zipfile
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from app.pretraining.data.corpus import LICENCES, corpus_files, read_documents, split_sentences
from app.pretraining.texts import build as module
from app.pretraining.texts.build import build, fetch, sources
from app.pretraining.texts.overlap import Overlap
from app.pretraining.texts.prose import as_prose
from app.pretraining.texts.readers import READERS

ARTICLES = """<doc id="1" url="x" title="Cats">
Cats

Cats are small animals that live with people in “many” houses.
History.
The first cats came to the farms to eat the mice there.
{markup} that | nobody | would read as a sentence here.
The population was 12,345,678 in 1990 and 23,456,789 in 2001.
A kitten sleeps for most of the day and most of the night.

</doc>
<doc id="2" url="x" title="Empty">
Empty

</doc>
<doc id="3" url="x" title="Dogs">
Dogs

Dogs are large animals that guard the houses of people.
Cats are small animals that live with people in “many” houses.

</doc>
"""
CHINESE = """<doc id="1" url="x" title="猫">
猫

猫是一种和人住在一起的小动物，喜欢在白天睡觉。
历史.
2015年（20岁）。

</doc>
"""
STORY = """# A Fat King

##
This is a fat king.
He has a thin dog.

##
The thin dog runs after a cat.

##
* License: [{licence}]
* Text: Somebody
"""
SPEECH = "Mr. Speaker, we meet tonight in a time of peace.\n\nThe state of the union\nis strong this year.\n"
WORDNET = (
    "  1 This software and database is being provided to you\n"
    "02121620 05 n 03 cat 0 true_cat 0 house_cat 0 001 @ 02120997 n 0000 | "
    'feline mammal with thick soft fur; "the cat slept"; "a cat!"\n'
)
FILES = {
    "wikipedia_core": {"repo-1/text/AA/wiki_00": ARTICLES, "repo-1/README.md": "no text"},
    "wikinews": {"repo-1/text/AA/wiki_00": ARTICLES.replace("Dogs are", "Wolves are")},
    "wikipedia_zh": {"repo-1/text/AA/wiki_04": CHINESE, "repo-1/text/cleaned/AA/wiki_00": ARTICLES},
    "storybooks": {
        "repo-1/en/1.md": STORY.format(licence="CC-BY"),
        "repo-1/en/2.md": STORY.replace("fat", "rich").format(licence="CC-BY-NC"),
    },
    "us_speeches": {"state_union/1945-A.txt": SPEECH, "state_union/README": "no speech"},
    "wordnet_glosses": {"dict/data.noun": WORDNET, "dict/index.noun": "no text"},
}


def packed(files: dict[str, str], ending: str) -> bytes:
    """An archive of these files."""
    out = io.BytesIO()
    if ending == ".zip":
        with zipfile.ZipFile(out, "w") as archive:
            for name, text in files.items():
                archive.writestr(name, text)
    else:
        with tarfile.open(fileobj=out, mode="w:gz") as archive:
            for name, text in files.items():
                member = tarfile.TarInfo(name)
                member.size = len(text.encode())
                archive.addfile(member, io.BytesIO(text.encode()))
    return out.getvalue()


@pytest.fixture
def served(tmp_path: Path) -> Iterator[tuple[str, Path]]:
    """A server's address, and the folder it serves."""
    folder = tmp_path / "served"
    folder.mkdir()
    handler = functools.partial(http.server.SimpleHTTPRequestHandler, directory=str(folder))
    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{server.server_port}", folder
        server.shutdown()


def local(address: str, folder: Path) -> dict[str, module.Source]:
    """All sources, with small archives of the server's in place of their own."""
    made = {}
    for name, source in sources().items():
        ending = ".zip" if source.address.endswith(".zip") else ".tar.gz"
        (folder / f"{name}{ending}").write_bytes(packed(FILES[name], ending))
        made[name] = replace(source, address=f"{address}/{name}{ending}")
    return made


def texts(path: Path) -> list[list[str]]:
    """The documents of a made file, as their sentences."""
    return list(read_documents(path))


def test_every_source_becomes_documents(served: tuple[str, Path], tmp_path: Path) -> None:
    target = tmp_path / "corpus"
    build(local(*served), target, tmp_path / "work", None, small=False)
    assert {path.name for path in corpus_files(target, "en")} == {
        f"{name}_1.txt.xz" for name, source in sources().items() if source.language == "en"
    }
    cats = 'Cats are small animals that live with people in "many" houses.'
    assert texts(target / "en" / "wikipedia_core_1.txt.xz") == [
        [
            cats,
            "The first cats came to the farms to eat the mice there.",
            "A kitten sleeps for most of the day and most of the night.",
        ],
        ["Dogs are large animals that guard the houses of people."],
    ]
    assert texts(target / "en" / "storybooks_1.txt.xz") == [
        ["This is a fat king.", "He has a thin dog.", "The thin dog runs after a cat."]
    ]
    assert texts(target / "en" / "us_speeches_1.txt.xz") == [
        ["Mr. Speaker, we meet tonight in a time of peace.", "The state of the union is strong this year."]
    ]
    glossed = "cat (noun), also called true cat, house cat: feline mammal with thick soft fur."
    assert texts(target / "en" / "wordnet_glosses_1.txt.xz") == [[glossed, "The cat slept.", "A cat!"]]
    assert texts(target / "zh" / "wikipedia_zh_1.txt.xz") == [["猫是一种和人住在一起的小动物，喜欢在白天睡觉。"]]


def test_what_is_there_is_neither_fetched_nor_made_again(served: tuple[str, Path], tmp_path: Path) -> None:
    known, target = local(*served), tmp_path / "corpus"
    build(known, target, tmp_path / "work", None, small=False)
    for path in served[1].iterdir():
        path.unlink()
    before = {path: path.stat().st_mtime_ns for path in target.rglob("*.xz")}
    build(known, target, tmp_path / "work", None, small=False)
    assert {path: path.stat().st_mtime_ns for path in target.rglob("*.xz")} == before


def test_evaluation_is_kept_out(tmp_path: Path) -> None:
    folder = tmp_path / "eval" / "some"
    folder.mkdir(parents=True)
    (folder / "dev.tsv").write_text("label\ttext\n1\tthe first cats came to the farms to eat the mice there .\n")
    overlap = Overlap(tmp_path / "eval")
    assert "The first cats came to the farms to eat the mice there." in overlap
    assert "They say that the first cats came to the farms to eat the mice, and left." in overlap
    assert "The first dogs came to the farms to guard the houses." not in overlap
    kept = module.prose_of(READERS["wiki_extractor"](ARTICLES), sources()["wikinews"], overlap)
    assert "mice" not in " ".join(line for document in kept for line in document)


def test_a_hundredth_is_kept_for_validation_and_long_texts_are_parted(tmp_path: Path, monkeypatch: object) -> None:
    monkeypatch.setattr(module, "FILE_CHARACTERS", 600)
    documents = [[f"This is the document number {number} of all these."] for number in range(200)]
    assert module.write("made", "en", iter(documents), tmp_path) == 200
    held = (tmp_path / "valid" / "en_made.txt").read_text().split("\n\n")
    packed_texts = [lzma.decompress(path.read_bytes()).decode() for path in corpus_files(tmp_path, "en")]
    training = [text for made in packed_texts for text in made.split("\n\n")]
    assert len(held) == 2 and len(training) == 198 and len(corpus_files(tmp_path, "en")) > 10
    assert not {text.strip() for text in held} & {text.strip() for text in training}


def test_small_takes_a_few(served: tuple[str, Path], tmp_path: Path, monkeypatch: object) -> None:
    monkeypatch.setattr(module, "SMALL", 1)
    known = {"wikipedia_core": local(*served)["wikipedia_core"]}
    build(known, tmp_path / "corpus", tmp_path / "work", None, small=True)
    assert len(texts(tmp_path / "corpus" / "en" / "wikipedia_core_1.txt.xz")) == 1


def test_a_download_that_was_cut_off_is_not_taken_for_whole(tmp_path: Path) -> None:
    class Short(http.server.BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            self.send_response(200)
            self.send_header("Content-Length", "100")
            self.end_headers()
            self.wfile.write(b"half")

        def log_message(self, *_: object) -> None:
            pass

    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), Short) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        with pytest.raises(OSError, match="4 of 100 bytes"):
            fetch(f"http://127.0.0.1:{server.server_port}/a.tar.gz", tmp_path)
        server.shutdown()
    assert not list(tmp_path.glob("*.tar.gz"))


@pytest.mark.parametrize(
    ("line", "language", "prose"),
    [
        ("History.", "en", ""),
        ("* an item of a list that is long enough to be one.", "en", ""),
        ("He said “no” and went home.", "en", 'He said "no" and went home.'),
        ("The word ἄναρχος and the word ἀρχός are Greek.", "en", ""),
        ("This line has no end to it", "en", ""),
        ("历史.", "zh", ""),
        ("他在二〇一五年来到北京大学读书，后来当了老师。", "zh", "他在二〇一五年来到北京大学读书，后来当了老师。"),
    ],
)
def test_prose(line: str, language: str, prose: str) -> None:
    assert as_prose(line, language) == prose


def test_every_source_has_a_reader_and_a_licence_that_export_knows() -> None:
    for name, source in sources().items():
        assert source.reader in READERS and name in LICENCES and source.licence and source.megabytes > 0
        assert source.address.startswith("https://")
    assert split_sentences("One. Two.") == ["One.", "Two."]
