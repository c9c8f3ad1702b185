"""Step 6. Trains the shipped model on our own headlines, and on its own predictions of everything else, so that it forgets nothing.

finetune.py: one student per fold, which is not trained on that fold, and one on all of them; all at once. Prints accuracy on the folds,
writes work/own-CONFIG.npz with the predictions on them, and work/own-CONFIG.pt. finetune.py --one CONFIG FOLD: one of them."""

import json
import os
import subprocess
import sys
import time

import numpy as np

from paths import HERE, TODAY, WORK

AUGMENTED_BATCH, TRAINING_BATCH, OWN_BATCH = 192, 96, 96
SMOOTHING = 0.08
ALL = -1


def configs():
    return json.loads((HERE / "finetune.json").read_text())


def one(name, fold):
    import torch
    import torch.nn as nn
    import torch.nn.functional as F
    from distil import load
    from networks import build
    from rows import DEVICE, SYNTH, Average, Rows, optimiser

    (config,) = [c for c in configs() if c["name"] == name]
    torch.manual_seed(fold + 2)
    rows = Rows()
    student = dict(config, kind="joint", d=256, ff=[512, 512], pre=0)
    model, today = build(student, rows.tables).to(DEVICE), build(student, rows.tables).to(DEVICE)
    load(today, TODAY)
    load(model, TODAY)
    said = lambda *inputs: rows.logits(today, *inputs).exp().to(DEVICE)
    augmented = rows.augmented()
    of_augmented = said(*augmented)
    count, views = rows.train[0].shape[:2]
    of_train = said(*(t.flatten(0, 1) for t in rows.train)).view(count, views, 3)
    hard = torch.where(rows.source == SYNTH, 0.2, 0.3)[:, None]
    own = [rows.tensor(f"own_{part}") for part in "SWX"]
    labels, folds = rows.tensor("own_y"), rows.tensor("own_fold")
    half = len(labels)
    used = torch.where(folds != fold)[0]
    truth = F.one_hot(labels, 3) * (1 - SMOOTHING) + SMOOTHING / 3
    # Half of them with their category in front.
    variants = 2 if config["category"] else 1
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
        view, third = some(views, TRAINING_BATCH), used[some(len(used), OWN_BATCH)]
        variant = third + half * some(variants, OWN_BATCH)
        parts = [
            torch.cat([a[first], t[second, view], o[variant]])
            for a, t, o in zip(augmented, rows.train, own)
        ]
        target = torch.cat([
            of_augmented[first],
            (1 - hard[second]) * of_train[second, view] + hard[second] * rows.targets[second],
            truth[third],
        ])
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
    model = average.mean
    found = rows.logits(model, *own).exp().numpy()
    print(name, fold, f"{time.time() - start:.0f} s", json.dumps(rows.measure(model)), flush=True)
    np.savez(WORK / f"own-{name}-{fold}.npz", p=found)
    if fold == ALL:
        before = rows.logits(today, *own).exp().numpy()
        np.savez(WORK / "own-before.npz", p=before)
        weights = {n: value.cpu() for n, value in model.state_dict().items() if "tables." not in n}
        torch.save(dict(config=student, weights=weights), WORK / f"own-{name}.pt")


def report():
    from rows import scores

    with np.load(WORK / "tok.npz") as tok:
        truth, category, fold = tok["own_y"], tok["own_category"], tok["own_fold"]
    half, out = len(truth), {"y": truth, "category": category}
    before = np.load(WORK / "own-before.npz")["p"][:half]
    measure = lambda p: {c: scores(truth[category == c], p[category == c].argmax(1)) for c in sorted(set(category))} | {
        "all": scores(truth, p.argmax(1))
    }
    print("before", measure(before))
    for config in configs():
        for variant in range(2 if config["category"] else 1):
            found = np.zeros((half, 3), np.float32)
            for each in sorted(set(fold)):
                with np.load(WORK / f"own-{config['name']}-{each}.npz") as file:
                    found[fold == each] = file["p"][variant * half : variant * half + half][fold == each]
            out[f"{config['name']}-{variant}"] = found
            print(config["name"], "with its category" if variant else "plain", measure(found), flush=True)
    np.savez(WORK / "own.npz", **out)


def main():
    from build import FOLDS

    env = dict(os.environ, OMP_NUM_THREADS="1", PYTHONUNBUFFERED="1")
    command = [sys.executable, __file__, "--one"]
    running = [
        subprocess.Popen([*command, config["name"], str(fold)], env=env)
        for config in configs()
        for fold in (ALL, *range(FOLDS))
    ]
    for process in running:
        process.wait()
    report()


if __name__ == "__main__":
    one(sys.argv[2], int(sys.argv[3])) if sys.argv[1:2] == ["--one"] else main()
