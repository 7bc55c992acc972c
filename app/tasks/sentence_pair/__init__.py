"""Two sentences: does the second follow, and which comes first?"""

from app.tasks.sentence_pair.judge import sentence_matrix as sentence_matrix
from app.tasks.sentence_pair.judge import sentence_pair as sentence_pair
