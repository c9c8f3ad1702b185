"""Step 3. Trains the teachers of teachers.json, all at once; each labels the training views and the augmented texts.

teachers.py: all of them, each in a separate process. teachers.py --one NAME: one of them. teachers.py --merge: only the mean."""

import json
import os
import subprocess
import sys
import time

import numpy as np

from paths import HERE, WORK

BATCH = 128
ENTITY_WEIGHT, FOREX_WEIGHT = 0.5, 2.0
SMOOTHING = 0.05


def train(rows, config):
    import torch
    import torch.nn as nn
    import torch.nn.functional as F
    from networks import build
    from rows import DEVICE, FOREX, SYNTH, TWITTER, Average, optimiser

    torch.manual_seed(config.get("seed", 0))
    model = build(config, rows.tables).to(DEVICE)
    pieces, of_words, words = rows.train
    views = pieces.shape[1]
    weight = torch.where(rows.entity, ENTITY_WEIGHT, 1.0)
    weight = torch.where(rows.source == FOREX, FOREX_WEIGHT, weight)
    # Generated texts count less than real ones, and an epoch contains only a share of them.
    weight = torch.where(rows.source == SYNTH, config.get("synth", 0.6), weight)
    real, made = torch.where(rows.source != SYNTH)[0], torch.where(rows.source == SYNTH)[0]
    per_epoch = min(len(made), int(config.get("share", 0.45) * len(real)))
    count = len(real) + per_epoch
    # Twitter labels more texts neutral than SEntFiN does. A bias for its rows, dropped afterwards, absorbs that.
    bias = nn.Parameter(torch.zeros(3, device=DEVICE))
    use_bias = config.get("sb", 1)
    adam = optimiser(model, config, 2e-4, [dict(params=[bias], lr=1e-2, weight_decay=0.0)])
    rates = [group["lr"] for group in adam.param_groups]
    steps, step, average, start = config.get("ep", 8) * (count // BATCH), 0, Average(model), time.time()
    limit = float(os.environ.get("SENTI_LIMIT", "1e9"))

    def loss_of(batch, target, source):
        def log_probabilities():
            of_twitter = use_bias * (source == TWITTER).float()[:, None] * bias
            return F.log_softmax((model(batch) + of_twitter).float(), -1)

        first = log_probabilities()
        loss = -(target * first).sum(-1)
        if config.get("rdrop", 0):  # two passes with different dropout must agree
            second = log_probabilities()
            apart = (first.exp() * (first - second)).sum(-1) + (second.exp() * (second - first)).sum(-1)
            loss = 0.5 * (loss - (target * second).sum(-1)) + config["rdrop"] * 0.5 * apart
        return loss

    done = 0.0
    while done < 1:
        model.train()
        pool = torch.cat([real, made[torch.randperm(len(made), device=DEVICE)[:per_epoch]]])
        for chosen in pool[torch.randperm(len(pool), device=DEVICE)].split(BATCH):
            done = max(step / steps, (time.time() - start) / limit)
            if len(chosen) < BATCH or done >= 1:
                break
            share = min(1, (step + 1) / (0.06 * steps + 1)) * max(0.02, 1 - done)
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
    return average.mean, bias.detach().cpu().numpy() * use_bias, step, steps


def one(name):
    import torch
    import torch.nn.functional as F
    from rows import Rows

    rows = Rows()
    (config,) = [c for c in json.loads((HERE / "teachers.json").read_text()) if c["name"] == name]
    start = time.time()
    model, bias, step, steps = train(rows, config)
    spent = time.time() - start
    said = lambda *inputs: F.softmax(rows.logits(model, *inputs), -1).half().numpy()
    np.savez(WORK / "teachers" / f"{name}.npz", aug=said(*rows.augmented()), train=said(*(t.flatten(0, 1) for t in rows.train)), bias=bias, dev=rows.dev_logits(model))
    print(name, f"{spent:.0f} s {step}/{steps}", json.dumps(rows.measure(model, bias)), "bias", bias.round(2).tolist(), flush=True)


def merge():
    """The mean of the subword teachers and the mean of the word teachers count the same."""
    from rows import scores
    groups = {}
    for path in sorted((WORK / "teachers").glob("*.npz")):
        with np.load(path) as file:
            kind = "subword" if path.name.startswith("hyb") else "word"
            made = {name: file[name].astype(np.float32) for name in ("aug", "train", "dev")}
        e = np.exp(made["dev"] - made["dev"].max(1, keepdims=True))
        made["dev"] = e / e.sum(1, keepdims=True)
        groups.setdefault(kind, []).append(made)
    mean = lambda name: np.mean([np.mean([one[name] for one in group], 0) for group in groups.values()], 0)
    np.savez(WORK / "teacher.npz", **{name: mean(name).astype(np.float16) for name in ("aug", "train")})
    with np.load(WORK / "tok.npz") as tok:
        truth, source = tok["dev_y"], tok["dev_src"]
    given = mean("dev").argmax(1)
    print("merged", {kind: len(group) for kind, group in groups.items()}, {s: scores(truth[source == s], given[source == s]) for s in (0, 1, 3)}, flush=True)


def main():
    (WORK / "teachers").mkdir(parents=True, exist_ok=True)
    env = dict(os.environ, OMP_NUM_THREADS="1", PYTHONUNBUFFERED="1")
    names = [c["name"] for c in json.loads((HERE / "teachers.json").read_text())]
    running = [subprocess.Popen([sys.executable, __file__, "--one", name], env=env) for name in names]
    for process in running:
        process.wait()
    merge()


if __name__ == "__main__":
    if sys.argv[1:2] == ["--one"]:
        one(sys.argv[2])
    elif sys.argv[1:2] == ["--merge"]:
        merge()
    else:
        main()
