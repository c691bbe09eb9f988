"""Any text becomes part of HTML or Markdown without a meaning of its own."""

from __future__ import annotations

from html.parser import HTMLParser

import pytest
from hypothesis import given
from hypothesis import strategies as st
from markdown_it import MarkdownIt

from heatstudio.text.invisible import visible
from heatstudio.text.markup import Html, Markdown

ANY = st.text(st.sampled_from("ab1.)-+=#*_`~[](){}<>!|\\&@:/$\n\t \u202e\x1b") | st.characters(), max_size=40)


class Reader(HTMLParser):
    """The text and the tags of HTML."""

    def __init__(self, html: str) -> None:
        super().__init__()
        self.text, self.tags = "", list[str]()
        self.feed(html)
        self.close()

    def handle_starttag(self, tag: str, attrs: object) -> None:
        self.tags.append(f"{tag} {attrs}")

    def handle_data(self, data: str) -> None:
        self.text += data


def rendered(markdown: str) -> Reader:
    return Reader(MarkdownIt("gfm-like", {"linkify": False, "html": True}).render(markdown))


def words(text: str) -> list[str]:
    return visible(" ".join(text.replace("\n", "\\n").split(" "))).split()


@given(ANY)
def test_html_shows_any_text_literally(text: str) -> None:
    found = Reader(Html("<p>{}</p>").fill(text))
    assert (found.text, found.tags) == (visible(text), ["p []"])


@given(ANY)
def test_markdown_shows_any_text_literally(text: str) -> None:
    found = rendered(Markdown("- {}: x\n").fill(text))
    assert found.tags in (["ul []", "li []"], ["ul []", "li []", "p []"])
    assert found.text.split() == words(f"{text}: x")


@given(ANY)
def test_markdown_shows_any_text_as_code(text: str) -> None:
    found = rendered(Markdown("x {} x").fill(Markdown.code(text)))
    assert found.tags in (["p []", "code []"], ["p []"])
    assert found.text.split() == words(f"x {text} x")


@pytest.mark.parametrize("kind", [Html, Markdown])
@given(text=ANY)
def test_sentence_has_code_between_backticks_only(kind: type[Html | Markdown], text: str) -> None:
    shown = kind("x {} x").fill(kind.sentence(text))
    found = Reader(shown) if kind is Html else rendered(shown)
    assert set(found.tags) <= {"code []", "p []"}


def test_markup_is_inserted_as_it_is() -> None:
    bold = Html("<b>{}</b>").fill("a & b")
    assert Html("{}: {}").fill(bold, "<i>") == "<b>a &amp; b</b>: &lt;i&gt;"
    assert Html("<br>").join(["<", bold]) == "&lt;<br><b>a &amp; b</b>"
    assert Markdown("# T\nrest").below_title(Markdown("own\n")) == "# T\nown\nrest"
