"""All export formats that come with Curtain."""

from curtain.corpus.exports import registry
from curtain_corpora.companion import COMPANION

FORMATS = (registry.TABLE, *COMPANION.formats)
