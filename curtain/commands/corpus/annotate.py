"""`curtain annotate`: opens the annotator's window, or checks the rules without one."""

from typing import Annotated

import typer

from curtain.base.errors import CurtainError
from curtain.commands import windows
from curtain.commands.options import AsJson, By, Output, SessionNames, StudyFolder, TextSize, Theme, WindowLanguage
from curtain.commands.purposes import ListOnly


def annotate(
    study: StudyFolder,
    by: By = "",
    second: Annotated[
        bool,
        typer.Option("--second", help="Annotate turns that others have finished, without seeing their annotations."),
    ] = False,
    adjudicate: Annotated[bool, typer.Option("--adjudicate", help="Decide where annotators differ.")] = False,
    check: Annotated[
        ListOnly, typer.Option("--check", help="List what breaks a rule, without a window. Exit 1 if anything does.")
    ] = False,
    session: SessionNames = None,
    sample: Annotated[
        str | None,
        typer.Option(
            "--sample",
            help="A share of the turns, as 10%: the same for every annotator, each without seeing the others.",
        ),
    ] = None,
    seed: Annotated[
        int | None, typer.Option("--seed", help="Another seed draws another sample; 1992 by default.")
    ] = None,
    output: Output = None,
    theme: Theme = None,
    text_size: TextSize = None,
    language: WindowLanguage = "",
    as_json: AsJson = False,
) -> int:
    """The exit code of the window, or of the check. Raises CurtainError."""
    if check:
        from curtain.corpus.annotation import checks

        return checks.run(study, as_json=as_json)
    # Refused here: the window would only open to close again.
    if second and adjudicate:
        raise CurtainError("Take either --second or --adjudicate: whoever rules does not annotate at the same time.")
    if seed is not None and sample is None:
        raise CurtainError("--seed draws a sample; say how large it is with --sample, as 10%.")
    if sample is not None:
        from curtain.corpus.annotation.sample import sample_of

        sample_of(sample, seed)
    values = {
        "--study": study, "--by": by, "--session": session, "--output": output, "--sample": sample, "--seed": seed,
        "--second": second, "--adjudicate": adjudicate, "--language": language,
    }  # fmt: skip
    return windows.open_window("curtain.review", windows.options_for(values, theme, text_size))
