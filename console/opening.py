"""Open the app in this terminal, for every command that ends in it."""

from __future__ import annotations

import os
import sys

import click

from console import encoding, terminal
from console.commands.options import Refused
from console.setup import Setup


def open_app(setup: Setup, *, begin: bool) -> None:
    """Open the app in this terminal; raises Refused if that is impossible or the app failed."""
    if not (sys.stdin.isatty() and sys.stdout.isatty()):
        raise Refused(
            "saber needs a terminal: its input and output must not be redirected. For scripts, "
            "there are saber sessions, saber scenarios and saber export."
        )
    if not encoding.is_utf8():
        raise Refused(
            "saber draws its screen in UTF-8, but the output here is "
            f"{encoding.encoding_to_use()}: cards could not be read. {encoding.ADVICE}"
        )
    from console import garbage_collection

    garbage_collection.disable_until_first_frame()
    # The longest that a key waits to be painted: a 240th of a second, not Textual's 60th.
    os.environ.setdefault("TEXTUAL_FPS", "240")
    from console.app import SaberApp

    terminal.install_quick_selector()
    terminal.ignore_undecodable_keys()
    app = SaberApp(setup, begin=begin)
    sentence = app.run()
    if app.exit_text:
        click.echo(app.exit_text)
    if sentence:
        raise Refused(sentence)
    if app.return_code:
        raise click.exceptions.Exit(app.return_code)
