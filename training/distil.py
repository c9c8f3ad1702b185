"""Step 4. Trains the student of student.json on the predictions of the teachers; writes work/student.pt.

distil.py [STEPS]: overrides the number of steps in student.json, for short test runs."""

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

AUGMENTED_BATCH, TRAINING_BATCH = 256, 128
ENTITY_WEIGHT, FOREX_WEIGHT, FOREX = 0.6, 2.0, 2
#: Weight of the given label on training rows; the predictions of the teachers have the rest.
HARD = 0.3


def augmented_batches(lengths):
    """Endless batches. Texts of similar length share a batch, which reduces padding."""
    while True:
        some = torch.randperm(len(lengths), device=DEVICE)[: AUGMENTED_BATCH * 40]
        batches = some[torch.argsort(lengths[some])].split(AUGMENTED_BATCH)
        for i in torch.randperm(len(batches)).tolist():
            yield batches[i]


def training_batches(count):
    while True:
        yield from torch.randperm(count, device=DEVICE).split(TRAINING_BATCH)


def main():
    config = json.loads((HERE / "student.json").read_text())
    steps = int(sys.argv[1]) if len(sys.argv) > 1 else config["steps"]
    torch.manual_seed(config.get("seed", 0))
    rows = Rows()
    with np.load(WORK / "teacher.npz") as file:
        said = {name: torch.tensor(file[name].astype(np.float32), device=DEVICE) for name in file.files}
    model = build(config, rows.tables).to(DEVICE)
    augmented = rows.augmented()
    count, views = rows.train[0].shape[:2]
    said["train"] = said["train"].view(count, views, 3)
    weight = torch.where(rows.entity, ENTITY_WEIGHT, 1.0)
    weight = torch.where(rows.source == FOREX, FOREX_WEIGHT, weight)
    adam = optimiser(model, config, 4e-4)
    rates = [group["lr"] for group in adam.param_groups]
    average, start = Average(model), time.time()
    of_augmented, of_training = augmented_batches((augmented[0] > 0).sum(1)), training_batches(count)

    model.train()
    for step in range(steps):
        # The learning rate falls with the steps or the elapsed time, whichever reaches its limit first.
        done = max(step / steps, (time.time() - start) / config["limit"])
        if done >= 1:
            break
        share = min(1, (step + 1) / 300) * max(0.01, 1 - done)
        for group, rate in zip(adam.param_groups, rates):
            group["lr"] = rate * share
        if step % 3 != 2:
            chosen = next(of_augmented)
            batch = rows.batch(*(part[chosen] for part in augmented))
            target, heard = said["aug"][chosen], torch.ones(len(chosen), device=DEVICE)
        else:
            chosen = next(of_training)
            view = torch.randint(0, views, (len(chosen),), device=DEVICE)
            batch = rows.batch(*(part[chosen, view] for part in rows.train))
            target = (1 - HARD) * said["train"][chosen, view] + HARD * rows.targets[chosen]
            heard = weight[chosen]
        # Train the mean of both halves, and each half on its own.
        loss = -(target * model(batch)).sum(-1)
        for part in model.parts:
            loss = loss - 0.5 * (target * F.log_softmax(part.float(), -1)).sum(-1)
        loss = (loss * heard).sum() / heard.sum()
        adam.zero_grad(set_to_none=True)
        loss.backward()
        nn.utils.clip_grad_norm_(model.parameters(), 1.0)
        adam.step()
        average.update(step + 1)

    print("steps", step + 1, f"{time.time() - start:.0f} s", rows.measure(average.mean))
    weights = {name: value for name, value in average.mean.state_dict().items() if "tables." not in name}
    torch.save(dict(config=config, weights=weights), WORK / "student.pt")


if __name__ == "__main__":
    main()
