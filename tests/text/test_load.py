from __future__ import annotations

import os
import stat
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from heatstudio.text import (
    ENCODING_WORDS,
    DocumentError,
    FileDocument,
    changed_on_disk,
    editable,
    is_file,
    read_document,
    save_document,
)


@pytest.mark.parametrize("content", [b"", b"a\r\nb\nc\rd", b"\xef\xbb\xbfa: b\n", "é\u2028😀\xa0".encode()])
def test_unchanged_document_is_saved_byte_for_byte(tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "file.yaml"
    path.write_bytes(content)
    document = read_document(path)
    assert document.text.encode() == content
    saved = save_document(document)
    assert path.read_bytes() == content
    assert not changed_on_disk(saved)
    assert list(tmp_path.iterdir()) == [path]


@settings(
    suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow], deadline=None, max_examples=50
)
@given(st.text().filter(lambda text: "\0" not in text))
def test_saved_text_is_read_again(tmp_path: Path, text: str) -> None:
    document = FileDocument(text, tmp_path / "file")
    save_document(document)
    assert read_document(tmp_path / "file").text == text


def test_save_keeps_the_mode_and_symbolic_links(tmp_path: Path) -> None:
    real, link = tmp_path / "real", tmp_path / "link"
    real.write_text("a")
    real.chmod(0o640)
    link.symlink_to(real)
    save_document(read_document(link).with_text("b"))
    assert link.is_symlink()
    assert real.read_text() == "b"
    assert stat.S_IMODE(real.stat().st_mode) == 0o640


def test_save_does_not_overwrite_changes_on_disk(tmp_path: Path) -> None:
    path = tmp_path / "file"
    path.write_text("a")
    document = read_document(path).with_text("b")
    path.write_text("other")
    assert changed_on_disk(document)
    with pytest.raises(DocumentError) as caught:
        save_document(document)
    assert caught.value.code == "changed-on-disk"
    assert path.read_text() == "other"
    saved = save_document(document, overwrite=True)
    assert path.read_text() == "b"
    assert save_document(saved.with_text("c")).stamp != saved.stamp


def test_save_does_not_overwrite_changes_made_during_the_save(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "file"
    path.write_text("a")
    document = read_document(path).with_text("b")
    monkeypatch.setattr(os, "fsync", lambda _: path.write_text("other"))
    with pytest.raises(DocumentError) as caught:
        save_document(document)
    assert caught.value.code == "changed-on-disk"
    assert path.read_text() == "other"
    assert list(tmp_path.iterdir()) == [path]


def test_save_keeps_the_owner(tmp_path: Path) -> None:
    path = tmp_path / "file"
    path.write_text("a")
    try:
        os.chown(path, 12345, 12345)
    except PermissionError:
        pytest.skip("this user may not give files away")
    save_document(read_document(path).with_text("b"))
    assert (path.stat().st_uid, path.stat().st_gid) == (12345, 12345)


def test_unreadable_file_is_reported(tmp_path: Path) -> None:
    binary, latin, large = tmp_path / "binary", tmp_path / "latin", tmp_path / "large"
    binary.write_bytes(b"a\0b")
    latin.write_bytes(b"a\nb\xe9\n")
    with large.open("wb") as file:
        file.truncate(21 * 1024 * 1024)
    loop = tmp_path / "loop"
    loop.symlink_to(loop)
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    wrong = {
        tmp_path / "missing": "missing",
        tmp_path: "directory",
        binary: "binary",
        latin: "not-utf-8",
        large: "too-large",
        binary / "below": "missing",
        tmp_path / ("x" * 300): "bad-name",
        loop: "bad-name",
        pipe: "not-a-file",
        Path("a\0b"): "unreadable",
    }
    for path, code in wrong.items():
        with pytest.raises(DocumentError) as caught:
            read_document(path)
        assert caught.value.code == code
        assert str(caught.value).endswith(".")


@pytest.mark.skipif(os.name != "posix", reason="special files of POSIX")
def test_message_names_the_kind_of_a_special_file(tmp_path: Path) -> None:
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    for path, kind in ((pipe, "pipe"), (Path("/dev/zero"), "device"), (tmp_path, "folder")):
        for use in (read_document, lambda one: save_document(FileDocument("a", one))):
            with pytest.raises(DocumentError, match=f"is a {kind}"):
                use(path)


def test_unreachable_path_is_not_a_file(tmp_path: Path) -> None:
    file = tmp_path / "file"
    file.touch()
    assert (is_file(file), is_file(tmp_path), is_file(tmp_path, stat.S_IFDIR)) == (True, False, True)
    for path in (tmp_path / "missing", tmp_path / ("x" * 300), file / "below", Path("a\0b")):
        assert not is_file(path)


def test_failed_save_is_reported(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(_: int) -> None:
        raise OSError(28, "No space left on device")

    loop = tmp_path / "loop"
    loop.symlink_to(loop)
    cases = [
        (FileDocument("a"), "no-path"),
        (FileDocument("\ud800", tmp_path / "half"), "not-utf-8"),
        (FileDocument("a", tmp_path), "directory"),
        (FileDocument("a", tmp_path / "none" / "file"), "missing"),
        (FileDocument("a", loop), "bad-name"),
    ]
    for document, code in cases:
        with pytest.raises(DocumentError) as caught:
            save_document(document)
        assert caught.value.code == code
    assert loop.is_symlink()
    loop.unlink()
    kept = tmp_path / "kept"
    kept.write_text("old")
    monkeypatch.setattr(os, "fsync", full)
    with pytest.raises(DocumentError) as caught:
        save_document(FileDocument("new", kept))
    assert caught.value.code == "disk-full"
    assert kept.read_text() == "old"
    assert list(tmp_path.iterdir()) == [kept]


def hard_link(path: Path) -> Path:
    other = path.with_name("other")
    other.hardlink_to(path)
    return other


def test_save_keeps_hard_links(tmp_path: Path) -> None:
    path = tmp_path / "file"
    path.write_text("a longer text")
    other = hard_link(path)
    before = read_document(path)
    saved = save_document(before.with_text("b"))
    assert other.read_text() == path.read_text() == "b"
    assert not changed_on_disk(saved)
    assert sorted(tmp_path.iterdir()) == [path, other]


def test_save_keeps_extended_attributes(tmp_path: Path) -> None:
    path = tmp_path / "file"
    path.write_text("a")
    try:
        os.setxattr(path, "user.mime_type", b"text/yaml")
    except OSError:
        pytest.skip("this disk has no attributes")
    before = path.stat().st_ino
    saved = save_document(read_document(path).with_text("b"))
    assert (path.read_text(), os.listxattr(path)) == ("b", ["user.mime_type"])
    assert os.getxattr(path, "user.mime_type") == b"text/yaml"
    assert path.stat().st_ino != before
    assert not changed_on_disk(saved)


@pytest.mark.parametrize("refused", ["setxattr", "chown"])
def test_file_is_overwritten_in_place_if_attributes_or_owner_cannot_be_copied(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, refused: str
) -> None:
    path = tmp_path / "file"
    path.write_text("a")
    before = path.stat()

    def refuse(*_: object) -> None:
        raise PermissionError(1, "Operation not permitted")

    if refused == "setxattr":
        monkeypatch.setattr(os, "listxattr", lambda one: ["security.label"] if Path(one) == path else [])
        monkeypatch.setattr(os, "getxattr", lambda *_: b"secret")
    else:
        stat_of = Path.stat
        theirs = (*before[:4], before.st_uid + 1, *before[5:])
        monkeypatch.setattr(
            Path, "stat", lambda one, **options: os.stat_result(theirs) if one == path else stat_of(one, **options)
        )
    document = read_document(path)._replace(text="b")
    monkeypatch.setattr(os, refused, refuse)
    save_document(document, overwrite=True)
    monkeypatch.undo()
    assert (path.read_text(), path.stat().st_ino) == ("b", before.st_ino)
    assert list(tmp_path.iterdir()) == [path]


@pytest.mark.parametrize("failures", [1, 2])
def test_failed_overwrite_in_place_keeps_the_old_text(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, failures: int
) -> None:
    path = tmp_path / "file"
    path.write_text("old")
    other = hard_link(path)
    calls = iter(["the copy beside", *["fails"] * failures, "put back", "the folder"])
    sync = os.fsync

    def full(handle: int) -> None:
        if next(calls) == "fails":
            raise OSError(28, "No space left on device")
        sync(handle)

    monkeypatch.setattr(os, "fsync", full)
    with pytest.raises(DocumentError) as caught:
        save_document(FileDocument("a new text", path))
    if failures == 1:
        assert caught.value.code == "disk-full"
        assert path.read_text() == other.read_text() == "old"
        assert sorted(tmp_path.iterdir()) == [path, other]
    else:
        beside = next(one for one in tmp_path.iterdir() if one not in {path, other})
        assert beside.read_text() == "old"
        assert str(beside) in caught.value.message


def test_folder_of_a_new_file_is_synced(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    synced: list[bool] = []
    sync = os.fsync

    def note(handle: int) -> None:
        synced.append(stat.S_ISDIR(os.fstat(handle).st_mode))
        sync(handle)

    monkeypatch.setattr(os, "fsync", note)
    save_document(FileDocument("a", tmp_path / "new"))
    assert synced == [False, True]


ENCODED = {
    "utf-8": "\ufeffname: café\r\n".encode(),
    "utf-16-le": "\ufeffname: café 😀\r\n".encode("utf-16-le"),
    "utf-16-be": "\ufeffname: café 😀\n".encode("utf-16-be"),
    "latin-1": b"name: caf\xe9\n",
    "cp1252": b"name: caf\xe9 \x80 5\r\n",
}


@pytest.mark.parametrize("encoding", ENCODED)
def test_encoding_is_detected_and_kept(tmp_path: Path, encoding: str) -> None:
    path = tmp_path / "file"
    path.write_bytes(ENCODED[encoding])
    document = read_document(path, ENCODING_WORDS)
    assert document.encoding == encoding
    assert document.encoding in ENCODING_WORDS
    assert editable(document.text).text.startswith("name: café")
    assert save_document(document.with_text(document.text)).encoding == encoding
    assert path.read_bytes() == ENCODED[encoding]


@settings(deadline=None)
@given(st.binary(max_size=40))
def test_any_bytes_are_saved_unchanged_or_rejected(tmp_path_factory: pytest.TempPathFactory, data: bytes) -> None:
    path = tmp_path_factory.mktemp("any") / "file"
    path.write_bytes(data)
    may_be_refused = b"\0" in data or data.startswith((b"\xff\xfe", b"\xfe\xff"))
    try:
        document = read_document(path, ENCODING_WORDS)
    except DocumentError:
        assert may_be_refused
        return
    save_document(document)
    assert path.read_bytes() == data
    assert (document.encoding == "utf-8") == _is_utf8(data)


def _is_utf8(data: bytes) -> bool:
    try:
        data.decode("utf-8")
    except UnicodeDecodeError:
        return False
    return True


def test_binary_data_is_rejected_in_every_encoding(tmp_path: Path) -> None:
    path = tmp_path / "file"
    for content in (b"a\0b\xe9", b"\x89PNG\r\n\0", b"\xff\xfea\0\0\0", "a\nb".encode("utf-16-le")):
        path.write_bytes(content)
        with pytest.raises(DocumentError) as caught:
            read_document(path, ENCODING_WORDS)
        assert caught.value.code == "binary"


def test_character_missing_in_the_encoding_is_reported(tmp_path: Path) -> None:
    path = tmp_path / "a.yaml"
    path.write_bytes(ENCODED["latin-1"])
    document = read_document(path, ENCODING_WORDS)
    with pytest.raises(DocumentError) as caught:
        save_document(document.with_text(f"{document.text}# →\n"))
    assert caught.value.code == "not-in-encoding"
    assert caught.value.message == "a.yaml was not saved: ISO 8859-1 cannot encode → (U+2192, line 2)."
    assert path.read_bytes() == ENCODED["latin-1"]


def test_longest_name_in_wide_characters_can_be_saved(tmp_path: Path) -> None:
    path = tmp_path / f"{chr(0x6F22) * 83}.yaml"  # 254 of 255 bytes
    save_document(FileDocument("a", path))
    save_document(read_document(path).with_text("b"))
    assert path.read_text("utf-8") == "b"
