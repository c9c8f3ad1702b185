"""Loads the rows of work/tok.npz onto the device, batches them, and evaluates a network on the development rows."""

import copy
import json

import numpy as np
import torch

from networks import Tables
from paths import WORK
from texts import OTHER, TARGET

DEVICE = "cuda" if torch.cuda.is_available() else "cpu"
#: Maximum decay of the running mean of the weights.
MEMORY = 0.99
SENTFIN, TWITTER, FOREX, SYNTH = 0, 1, 2, 3


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
        return tuple(self.tensor(name) for name in ("aug_S", "aug_W", "aug_X"))

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

    def dev_logits(self, model):
        return self.logits(model, *(self.tensor(n) for n in ("A_dev_S", "A_dev_W", "w_dev"))).numpy()

    def measure(self, model, bias=None):
        """Accuracy and macro-F1 on the development rows by source, in percent."""
        found = self.dev_logits(model)
        truth, source, kind = self.data["dev_y"], self.data["dev_src"], self.data["dev_kind"]
        out = {}
        for name, number in (("sentfin", 0), ("twitter", 1), ("synth", 3)):
            out[name] = scores(truth[source == number], found[source == number].argmax(1))
        if bias is not None:
            out["twitter+bias"] = scores(truth[source == 1], (found[source == 1] + bias).argmax(1))
        for name in sorted(set(kind) - {"-"}):
            out[name] = scores(truth[kind == name], found[kind == name].argmax(1))[0]
        return out


def scores(truth, given):
    f1 = [2 * ((truth == k) & (given == k)).sum() / max(1, (truth == k).sum() + (given == k).sum()) for k in range(3)]
    return round(100 * float((truth == given).mean()), 1), round(100 * float(np.mean(f1)), 1)


class Average:
    """A running mean of the weights of a model, updated every fourth step: it generalises better than the last weights."""

    def __init__(self, model):
        self.model, self.mean = model, copy.deepcopy(model).eval()

    @torch.no_grad()
    def update(self, step):
        if step % 4 == 0:
            past = min(MEMORY, (step / 4) / (step / 4 + 10))
            torch._foreach_lerp_(list(self.mean.parameters()), list(self.model.parameters()), 1 - past)


def optimiser(model, config, encoder_rate, extra=()):
    """The pretrained encoder has a lower rate than the new layers."""
    encoder = [p for name, p in model.named_parameters() if "enc." in name]
    fresh = [p for name, p in model.named_parameters() if "enc." not in name]
    groups = [dict(params=fresh, lr=config.get("hlr", 1e-3)), *extra]
    if encoder:
        groups.append(dict(params=encoder, lr=config.get("lr", encoder_rate)))
    return torch.optim.AdamW(groups, weight_decay=0.01, fused=DEVICE == "cuda")
