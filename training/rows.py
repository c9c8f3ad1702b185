"""Loads the rows of work/tok.npz onto the device, batches them, and evaluates a network on the evaluation sets."""

import copy
import json

import numpy as np
import torch

from networks import Tables
from paths import WORK
from texts import OTHER, TARGET

DEVICE = "cuda" if torch.cuda.is_available() else "cpu"
AUGMENTED_PIECES, MAX_WORDS = 48, 40
#: Maximum decay of the running mean of the weights.
MEMORY = 0.99


class Rows:
    def __init__(self):
        with np.load(WORK / "tok.npz") as file:
            self.data = {name: file[name] for name in file.files}
        names = json.loads((WORK / "surf.json").read_text())
        self.markers = {"tgt": names.index(TARGET), "oth": names.index(OTHER)}
        self.tables = Tables(self.data).to(DEVICE)
        self.train = tuple(self.tensor(name) for name in ("A_S", "A_W", "w_X"))
        self.targets, self.source, self.entity = self.tensor("P"), self.tensor("src"), self.tensor("ent")

    def tensor(self, name):
        return torch.tensor(self.data[name], device=DEVICE)

    def augmented(self):
        """Pieces, the word of each piece, and the words, where adjacent pieces of one word count once."""
        counts = self.data["aug_n"].astype(np.int64)
        inside = np.arange(AUGMENTED_PIECES)[None] < counts[:, None]
        pieces, words = np.zeros(inside.shape, np.int16), np.zeros(inside.shape, np.int32)
        pieces[inside], words[inside] = self.data["aug_s"], self.data["aug_w"]
        before = np.concatenate([np.zeros((len(words), 1), np.int32), words[:, :-1]], 1)
        fresh = (words > 0) & (words != before)
        place = np.cumsum(fresh, 1) - 1
        row, column = np.where(fresh & (place < MAX_WORDS))
        only = np.zeros((len(words), MAX_WORDS), np.int32)
        only[row, place[row, column]] = words[row, column]
        only[only.max(1) == 0, 0] = 1
        return tuple(torch.tensor(array, device=DEVICE) for array in (pieces, words, only))

    def batch(self, pieces, of_words, words):
        """Truncates the padding to the longest text of the batch."""
        length = int((pieces > 0).sum(1).max())
        word_length = max(4, int((words > 0).sum(1).max()))
        cut = {"S": pieces[:, :length].long(), "W": of_words[:, :length].long(), "X": words[:, :word_length].long()}
        return cut | self.markers

    @torch.no_grad()
    def logits(self, model, pieces, of_words, words, size=2048):
        model.eval()
        parts = zip(pieces.split(size), of_words.split(size), words.split(size))
        return torch.cat([model(self.batch(*part)).float().cpu() for part in parts])

    def measure(self, model):
        """Accuracy and macro-F1 per set, in percent. The development rows select models; the others are only reported."""
        out = {}
        for name in ["dev"] + sorted(n[2:] for n in self.data if n.startswith("y_")):
            inputs = (self.tensor(f"A_{name}_S"), self.tensor(f"A_{name}_W"), self.tensor(f"w_{name}"))
            truth = self.data["dev_y" if name == "dev" else f"y_{name}"]
            out[name] = scores(truth, self.logits(model, *inputs).argmax(1).numpy())
        return out


def scores(truth, given):
    f1 = [2 * ((truth == k) & (given == k)).sum() / max(1, (truth == k).sum() + (given == k).sum()) for k in range(3)]
    return round(100 * float((truth == given).mean()), 1), round(100 * float(np.mean(f1)), 1)


class Average:
    """A running mean of the weights, updated every fourth step. It generalises better than the final weights."""

    def __init__(self, model):
        self.model, self.mean = model, copy.deepcopy(model).eval()

    @torch.no_grad()
    def update(self, step):
        if step % 4 == 0:
            past = min(MEMORY, (step / 4) / (step / 4 + 10))
            torch._foreach_lerp_(list(self.mean.parameters()), list(self.model.parameters()), 1 - past)


def optimiser(model, config, encoder_rate, extra=()):
    """The pretrained encoder has a lower learning rate than the new layers."""
    encoder = [p for name, p in model.named_parameters() if "enc." in name]
    fresh = [p for name, p in model.named_parameters() if "enc." not in name]
    groups = [dict(params=fresh, lr=config.get("hlr", 1e-3)), *extra]
    if encoder:
        groups.append(dict(params=encoder, lr=config.get("lr", encoder_rate)))
    return torch.optim.AdamW(groups, weight_decay=0.01, fused=DEVICE == "cuda")
