"""The search terms that all editors share."""


class SearchMemory:
    """The words and options of the last search; apart from the search itself, which is imported when one begins."""

    def __init__(self) -> None:
        self.pattern = ""
        self.replacement = ""
        self.is_regex = False
        self.matches_case = False
        self.whole_words = False
