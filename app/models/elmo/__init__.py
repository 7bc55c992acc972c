"""ELMo: word vectors from a bidirectional language model over characters (Peters et al. 2018, arXiv 1802.05365).

    configuration.py  ElmoConfig: every size and switch, also read from a published `options.json`
    tokenization.py   ElmoTokenizer: text to words, words to rows of byte ids, words to vocabulary ids
    characters.py     the context-free word encoder: character CNN, highways, projection; a bounded cache
    recurrence.py     the bidirectional LSTM with projection and clips; its state
    modeling.py       ElmoModel and what its checkpoints share
    mixing.py         the learned scalar mix of the layers
    language.py       ElmoForLanguageModeling: next and previous word, losses for training
    published.py      the published options.json, weights.hdf5 and softmax files
    encoding.py       encode(): many sentences, sorted by length, in batches

Importing this package makes `AutoConfig`, `AutoModel` and `AutoTokenizer` know the model type "elmo".
"""

from transformers import AutoConfig, AutoModel, AutoTokenizer

from .configuration import ElmoConfig
from .encoding import encode
from .language import ElmoForLanguageModeling, ElmoLanguageModelingOutput
from .mixing import ElmoScalarMix
from .modeling import ElmoModel, ElmoModelOutput, ElmoPreTrainedModel
from .published import PublishedFiles, find_published, load_published
from .recurrence import ElmoState
from .tokenization import ElmoTokenizer, Word, split_words

AutoConfig.register("elmo", ElmoConfig, exist_ok=True)
AutoModel.register(ElmoConfig, ElmoModel, exist_ok=True)
AutoTokenizer.register(ElmoConfig, ElmoTokenizer, exist_ok=True)

__all__ = [
    "ElmoConfig",
    "ElmoForLanguageModeling",
    "ElmoLanguageModelingOutput",
    "ElmoModel",
    "ElmoModelOutput",
    "ElmoPreTrainedModel",
    "ElmoScalarMix",
    "ElmoState",
    "ElmoTokenizer",
    "PublishedFiles",
    "Word",
    "encode",
    "find_published",
    "load_published",
    "split_words",
]
