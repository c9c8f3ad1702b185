"""Step 6. Trains the model of step 5 on our own headlines, and on its own predictions of everything else, so that it forgets nothing.

finetune.py: the students of finetune.json, all at once; prints their accuracy on the development headlines, and writes work/NAME.pt.
finetune.py --one NAME: one of them."""

import json
import os
import subprocess
import sys
import time

from paths import HERE, TODAY, WORK

AUGMENTED_BATCH, TRAINING_BATCH, OWN_BATCH = 192, 96, 128
SMOOTHING = 0.08
CATEGORIES = ("crypto", "forex", "gold", "macro")


def configs():
    return json.loads((HERE / "finetune.json").read_text())


def one(name):
    import torch
    import torch.nn as nn
    import torch.nn.functional as F
    from distil import load
    from networks import build
    from rows import DEVICE, SYNTH, Average, Rows, optimiser, scores

    (config,) = [c for c in configs() if c["name"] == name]
    torch.manual_seed(config.get("seed", 0))
    rows = Rows()
    student = dict(config, kind="joint", d=256, ff=[512, 512], pre=0)
    model, today = build(student, rows.tables).to(DEVICE), build(student, rows.tables).to(DEVICE)
    load(today, TODAY)
    load(model, TODAY)
    predictions = lambda *inputs: rows.logits(today, *inputs).exp().to(DEVICE)
    augmented = rows.augmented()
    of_augmented = predictions(*augmented)
    count, views = rows.train[0].shape[:2]
    of_train = predictions(*(t.flatten(0, 1) for t in rows.train)).view(count, views, 3)
    hard = torch.where(rows.source == SYNTH, 0.2, 0.3)[:, None]
    own = [rows.tensor(f"training_{part}") for part in "SWX"]
    labels = rows.tensor("training_y")
    truth = F.one_hot(labels, 3) * (1 - SMOOTHING) + SMOOTHING / 3

    def measure(network):
        """Accuracy and macro-F1 on the development headlines, without and with their category."""
        found = rows.logits(network, *(rows.tensor(f"development_{part}") for part in "SWX")).numpy()
        y, category = rows.data["development_y"], rows.data["development_category"]
        out = {}
        for variant, part in zip(("plain", "category"), (found[: len(y)], found[len(y) :])):
            given = part.argmax(1)
            out[variant] = {c: scores(y[category == c], given[category == c]) for c in CATEGORIES} | {"all": scores(y, given)}
        return out

    print("before", json.dumps(measure(today)), flush=True)
    adam = optimiser(model, config, config["lr"])
    rates = [group["lr"] for group in adam.param_groups]
    average, start, steps = Average(model), time.time(), config["steps"]
    some = lambda total, size: torch.randint(0, total, (size,), device=DEVICE)
    model.train()
    for step in range(steps):
        share = min(1, (step + 1) / 100) * max(0.01, 1 - step / steps)
        for group, rate in zip(adam.param_groups, rates):
            group["lr"] = rate * share
        first, second = some(len(of_augmented), AUGMENTED_BATCH), some(count, TRAINING_BATCH)
        view, third = some(views, TRAINING_BATCH), some(len(labels), OWN_BATCH)
        # Half of them with their category in front.
        variant = third + len(labels) * some(2, OWN_BATCH)
        parts = [torch.cat([a[first], t[second, view], o[variant]]) for a, t, o in zip(augmented, rows.train, own)]
        target = torch.cat(
            [
                of_augmented[first],
                (1 - hard[second]) * of_train[second, view] + hard[second] * rows.targets[second],
                truth[third],
            ]
        )
        weight = torch.ones(len(target), device=DEVICE)
        weight[-OWN_BATCH:] = config["own"]
        loss = -(target * model(rows.batch(*parts))).sum(-1)
        for part in model.parts:
            loss = loss - 0.5 * (target * F.log_softmax(part.float(), -1)).sum(-1)
        loss = (loss * weight).sum() / weight.sum()
        adam.zero_grad(set_to_none=True)
        loss.backward()
        nn.utils.clip_grad_norm_(model.parameters(), 1.0)
        adam.step()
        average.update(step + 1)
        if (step + 1) % 1000 == 0:
            print(name, step + 1, f"{time.time() - start:.0f} s", flush=True)
    model = average.mean
    print(name, json.dumps(rows.measure(model)), json.dumps(measure(model)), flush=True)
    weights = {n: value.cpu() for n, value in model.state_dict().items() if "tables." not in n}
    torch.save(dict(config=student, weights=weights), WORK / f"{name}.pt")


def main():
    env = dict(os.environ, OMP_NUM_THREADS="1", PYTHONUNBUFFERED="1")
    running = [subprocess.Popen([sys.executable, __file__, "--one", config["name"]], env=env) for config in configs()]
    for process in running:
        process.wait()


if __name__ == "__main__":
    one(sys.argv[2]) if sys.argv[1:2] == ["--one"] else main()
