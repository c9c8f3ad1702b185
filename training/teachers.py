"""Step 3. Trains the teachers of teachers.json in turn. Each labels the training views and the augmented texts.

teachers.py [NAME ...]: trains only those. Writes work/teachers/NAME.npz and the mean of all, work/teacher.npz."""

import json
import sys
import time

import numpy as np
import torch
import torch.nn as nn
import torch.nn.functional as F

from networks import build
from paths import HERE, WORK
from rows import DEVICE, Average, Rows, optimiser

BATCH = 128
#: Rows about one entity repeat a headline, so they weigh less. The forex set is small, so its rows weigh more.
ENTITY_WEIGHT, FOREX_WEIGHT = 0.5, 2.0
#: Ids of the sources, as in build.py.
TWITTER, FOREX = 1, 2
SMOOTHING = 0.05


def train(rows, config, steps_limit=None):
    torch.manual_seed(config.get("seed", 0))
    model = build(config, rows.tables).to(DEVICE)
    pieces, of_words, words = rows.train
    count, views = pieces.shape[:2]
    weight = torch.where(rows.entity, ENTITY_WEIGHT, 1.0)
    weight = torch.where(rows.source == FOREX, FOREX_WEIGHT, weight)
    # Twitter labels more texts neutral than SEntFiN does. A bias on its rows compensates; it is discarded after training.
    bias = nn.Parameter(torch.zeros(3, device=DEVICE))
    use_bias = config.get("sb", 1)
    adam = optimiser(model, config, 2e-4, [dict(params=[bias], lr=1e-2, weight_decay=0.0)])
    rates = [group["lr"] for group in adam.param_groups]
    steps, step, average = config.get("ep", 8) * count // BATCH, 0, Average(model)

    def loss_of(batch, target, source):
        def log_probabilities():
            of_twitter = use_bias * (source == TWITTER).float()[:, None] * bias
            return F.log_softmax((model(batch) + of_twitter).float(), -1)

        first = log_probabilities()
        loss = -(target * first).sum(-1)
        if config.get("rdrop", 0):  # two passes with different dropout should agree
            second = log_probabilities()
            apart = (first.exp() * (first - second)).sum(-1) + (second.exp() * (second - first)).sum(-1)
            loss = 0.5 * (loss - (target * second).sum(-1)) + config["rdrop"] * 0.5 * apart
        return loss

    for _ in range(config.get("ep", 8)):
        model.train()
        for chosen in torch.randperm(count, device=DEVICE).split(BATCH):
            if len(chosen) < BATCH or (steps_limit and step >= steps_limit):
                break
            share = min(1, (step + 1) / (0.06 * steps + 1)) * max(0.02, 1 - step / steps)
            for group, rate in zip(adam.param_groups, rates):
                group["lr"] = rate * share
            view = torch.randint(0, views, (BATCH,), device=DEVICE)
            batch = rows.batch(pieces[chosen, view], of_words[chosen, view], words[chosen, view])
            target = rows.targets[chosen] * (1 - SMOOTHING) + SMOOTHING / 3
            loss = loss_of(batch, target, rows.source[chosen])
            loss = (loss * weight[chosen]).sum() / weight[chosen].sum()
            adam.zero_grad(set_to_none=True)
            loss.backward()
            nn.utils.clip_grad_norm_(model.parameters(), 1.0)
            adam.step()
            step += 1
            average.update(step)
    return average.mean


def label(rows, model):
    def probabilities(*inputs):
        return F.softmax(rows.logits(model, *inputs), -1).half().numpy()

    return dict(aug=probabilities(*rows.augmented()), train=probabilities(*(t.flatten(0, 1) for t in rows.train)))


def merge():
    """Averages the mean of the subword teachers and the mean of the word teachers with equal weight."""
    groups = {}
    for path in sorted((WORK / "teachers").glob("*.npz")):
        with np.load(path) as file:
            kind = "subword" if path.name.startswith("hyb") else "word"
            groups.setdefault(kind, []).append({name: file[name].astype(np.float32) for name in file.files})
    mean = lambda name: np.mean([np.mean([one[name] for one in group], 0) for group in groups.values()], 0)
    np.savez(WORK / "teacher.npz", **{name: mean(name).astype(np.float16) for name in ("aug", "train")})
    print("merged", {kind: len(group) for kind, group in groups.items()})


def main():
    (WORK / "teachers").mkdir(parents=True, exist_ok=True)
    rows = Rows()
    for config in json.loads((HERE / "teachers.json").read_text()):
        if len(sys.argv) > 1 and config["name"] not in sys.argv[1:]:
            continue
        start = time.time()
        model = train(rows, config, config.get("maxsteps"))
        print(config["name"], f"{time.time() - start:.0f} s", rows.measure(model), flush=True)
        np.savez(WORK / "teachers" / f"{config['name']}.npz", **label(rows, model))
    merge()


if __name__ == "__main__":
    main()
