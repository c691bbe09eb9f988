"""Check many files for the command line, in two processes if that is faster."""

from collections import deque
from collections.abc import Iterator, Sequence
from contextlib import suppress
from threading import Thread

from heatstudio.service.file_report import FileReport
from heatstudio.service.wire import ReportQuestion
from heatstudio.service.worker import Worker
from heatstudio.service.worker_process import WorkerProcess, cores

_FEW = 40
"""The number of files below which starting a second process takes longer than it saves."""


def check_files(worker: Worker, questions: Sequence[ReportQuestion]) -> Iterator[FileReport]:
    """Yield the reports in the order of the questions."""
    if len(questions) < _FEW or cores() == 1:
        yield from map(worker.report, questions)
        return
    waiting = deque(enumerate(questions))
    done: dict[int, FileReport] = {}
    helper = WorkerProcess()
    thread = Thread(target=_help, args=(helper, waiting, done), daemon=True)
    thread.start()
    try:
        for number in range(len(questions)):
            while number not in done:
                with suppress(IndexError):  # the queue is empty: the helper checks the last files
                    following, question = waiting.popleft()
                    done[following] = worker.report(question)
                    continue
                thread.join()
            yield done.pop(number)
    finally:
        waiting.clear()
        helper.kill()
        thread.join()


def _help(helper: WorkerProcess, waiting: deque[tuple[int, ReportQuestion]], done: dict[int, FileReport]) -> None:
    """Send questions to a process until the queue is empty or the process ends."""
    helper.start()
    while True:
        try:
            number, question = waiting.popleft()
        except IndexError:
            return
        report = helper.report(question)
        if report is None:
            waiting.appendleft((number, question))
            return
        done[number] = report
