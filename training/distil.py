"""Step 4. Trains the students of students.json, all at once, on the predictions of the teachers; writes work/NAME.pt.

distil.py: all of them. distil.py --one NAME: one of them."""

import json
import os
import subprocess
import sys
import time

import numpy as np

from paths import HERE, TODAY, WORK

AUGMENTED_BATCH, TRAINING_BATCH = 256, 128
ENTITY_WEIGHT, FOREX_WEIGHT = 0.6, 2.0


def load(student, path):
    """Loads the weights of a model file into a network: the reverse of export.py."""
    import struct
    import torch

    data = path.read_bytes()
    length = struct.unpack("<I", data[4:8])[0]
    head, base = json.loads(data[8 : 8 + length]), 8 + length

    def get(name):
        entry = head["t"][name]
        array = np.frombuffer(data, np.int8 if entry["t"] == "i8" else np.float32, entry["n"], base + entry["o"]).reshape(entry["s"]).astype(np.float32)
        return array * get(name + ".s")[:, None] if entry["t"] == "i8" else array

    vocabulary = json.loads((WORK / "use_vocab.json").read_text())
    kept = [i for i, (piece, _) in enumerate(vocabulary) if i < 6 or not any("A" <= c <= "Z" for c in piece)]
    state = {"w.ng.weight": get("ng"), "w.sp.weight": get("w.sp.weight")}
    emb = student.u.enc.emb.weight.detach().cpu().numpy().copy()
    emb[kept] = get("emb")
    state["u.enc.emb.weight"] = emb
    for i in range(head["layers"]):
        for linear in ("qkv", "o", "f1", "f2"):
            state[f"u.enc.blks.{i}.{linear}.weight"], state[f"u.enc.blks.{i}.{linear}.bias"] = get(f"b{i}.{linear}"), get(f"b{i}.{linear}.b")
        for norm in ("ln1", "ln2"):
            state[f"u.enc.blks.{i}.{norm}.weight"], state[f"u.enc.blks.{i}.{norm}.bias"] = get(f"b{i}.{norm}.g"), get(f"b{i}.{norm}.b")
    for half in ("u", "w"):
        state[f"{half}.gp.weight"] = get(f"{half}.gp")
        for part in ("lv", "ln.weight", "ln.bias", "head.weight", "head.bias"):
            state[f"{half}.{part}"] = get(f"{half}.{part}")
    for k in range(4):
        matrix = get(f"cv{k}")
        state[f"w.cv.{k}.weight"] = matrix.reshape(len(matrix), k + 1, -1).transpose(0, 2, 1)
        state[f"w.cv.{k}.bias"] = get(f"cv{k}.b")
    own = student.state_dict()
    with torch.no_grad():
        for name, array in state.items():
            own[name].copy_(torch.tensor(np.ascontiguousarray(array)).reshape(own[name].shape))


def one(name):
    import torch
    import torch.nn as nn
    import torch.nn.functional as F
    from networks import build
    from rows import DEVICE, FOREX, SYNTH, Average, Rows, optimiser

    (config,) = [c for c in json.loads((HERE / "students.json").read_text()) if c["name"] == name]
    limit = float(os.environ.get("SENTI_LIMIT", config["limit"]))
    torch.manual_seed(config.get("seed", 0))
    rows = Rows()
    with np.load(WORK / "teacher.npz") as file:
        said = {n: torch.tensor(file[n].astype(np.float32), device=DEVICE) for n in file.files}
    model = build(config, rows.tables).to(DEVICE)
    # The model that is already shipped is one more teacher, for texts derived from real ones. A student may start from it.
    today = build(config, rows.tables).to(DEVICE)
    load(today, TODAY)
    if config.get("warm"):
        load(model, TODAY)
    share_old = config.get("old", 0.6)
    ask = lambda *inputs: rows.logits(today, *inputs).exp().to(DEVICE)
    real_aug = rows.tensor("aug_real")[:, None]
    apart = (ask(*rows.augmented()) - said["aug"]).abs().sum(1)[real_aug[:, 0]].mean().item()
    assert apart < 0.5, f"the predictions of the teachers belong to other texts: {apart}"
    print("today's model and the teachers differ by", round(apart, 3))
    said["aug"] = torch.where(real_aug, share_old * ask(*rows.augmented()) + (1 - share_old) * said["aug"], said["aug"])
    old_train = ask(*(t.flatten(0, 1) for t in rows.train))
    real_train = (rows.source != SYNTH).repeat_interleave(rows.train[0].shape[1])[:, None]
    said["train"] = torch.where(real_train, share_old * old_train + (1 - share_old) * said["train"], said["train"])
    print(name, "today's model on the development rows", json.dumps(rows.measure(today)), flush=True)
    augmented = rows.augmented()
    lengths = (augmented[0] > 0).sum(1)
    count, views = rows.train[0].shape[:2]
    said["train"] = said["train"].view(count, views, 3)
    weight = torch.where(rows.entity, ENTITY_WEIGHT, 1.0)
    weight = torch.where(rows.source == FOREX, FOREX_WEIGHT, weight)
    weight = torch.where(rows.source == SYNTH, config.get("synth", 0.6), weight)
    # Weight of the given label against the predictions of the teachers.
    hard = torch.where(rows.source == SYNTH, config.get("hard_synth", 0.4), config.get("hard", 0.3))[:, None]
    real, made = torch.where(rows.source != SYNTH)[0], torch.where(rows.source == SYNTH)[0]
    per_epoch = min(len(made), int(config.get("share", 0.45) * len(real)))
    adam = optimiser(model, config, 4e-4)
    rates = [group["lr"] for group in adam.param_groups]
    average, start, steps = Average(model), time.time(), config["steps"]

    def augmented_batches():
        """Endless. Texts of similar length are batched together, so that there is little padding."""
        while True:
            some = torch.randperm(len(lengths), device=DEVICE)[: AUGMENTED_BATCH * 40]
            batches = some[torch.argsort(lengths[some])].split(AUGMENTED_BATCH)
            for i in torch.randperm(len(batches)).tolist():
                yield batches[i]

    def training_batches():
        while True:
            pool = torch.cat([real, made[torch.randperm(len(made), device=DEVICE)[:per_epoch]]])
            yield from pool[torch.randperm(len(pool), device=DEVICE)].split(TRAINING_BATCH)

    of_augmented, of_training = augmented_batches(), training_batches()
    model.train()
    for step in range(steps):
        # The rate falls with the steps or with the time, whichever ends first.
        done = max(step / steps, (time.time() - start) / limit)
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
            target = (1 - hard[chosen]) * said["train"][chosen, view] + hard[chosen] * rows.targets[chosen]
            heard = weight[chosen]
        # The mean must be right, and each half as well.
        loss = -(target * model(batch)).sum(-1)
        for part in model.parts:
            loss = loss - 0.5 * (target * F.log_softmax(part.float(), -1)).sum(-1)
        loss = (loss * heard).sum() / heard.sum()
        adam.zero_grad(set_to_none=True)
        loss.backward()
        nn.utils.clip_grad_norm_(model.parameters(), 1.0)
        adam.step()
        average.update(step + 1)

    print(name, "steps", step + 1, f"{time.time() - start:.0f} s", json.dumps(rows.measure(average.mean)), flush=True)
    weights = {n: value.cpu() for n, value in average.mean.state_dict().items() if "tables." not in n}
    torch.save(dict(config=config, weights=weights), WORK / f"{name}.pt")
    # Predictions of each half on the development rows, for calibration.
    model = average.mean
    with torch.no_grad():
        halves = [[], []]
        inputs = [rows.tensor(n) for n in ("A_dev_S", "A_dev_W", "w_dev")]
        for part in zip(*(t.split(1024) for t in inputs)):
            model(rows.batch(*part))
            for h, logits in zip(halves, model.parts):
                h.append(logits.float().cpu().numpy())
    np.savez(WORK / f"{name}.dev.npz", u=np.concatenate(halves[0]), w=np.concatenate(halves[1]), y=rows.data["dev_y"], src=rows.data["dev_src"], kind=rows.data["dev_kind"])


def main():
    env = dict(os.environ, OMP_NUM_THREADS="1", PYTHONUNBUFFERED="1")
    names = [c["name"] for c in json.loads((HERE / "students.json").read_text())]
    running = [subprocess.Popen([sys.executable, __file__, "--one", name], env=env) for name in names]
    for process in running:
        process.wait()


if __name__ == "__main__":
    one(sys.argv[2]) if sys.argv[1:2] == ["--one"] else main()
