"""Step 2. work/data.json, work/synth.json -> work/tok.npz: every text as numbers, augmented texts, and tables of words.

build.py [COUNT]: the number of augmented texts, 320,000 by default. The word vectors are those of the model file that the student
starts from (TODAY), so that the new file has the same words and the same size. Uses all cores."""

import json
import multiprocessing
import os
import random
import struct
import sys

import numpy as np

from augment import augment, neighbours
from paths import TODAY, WORK
from subwords import MAX_PIECES, MAX_WORDS, WORD, Subwords, words
from texts import OTHER, TARGET, clean
from views import VIEWS, views
import headlines
import synth

LETTER_GROUPS, MAX_GROUPS = 1 << 15, 24
SOURCES = {"sentfin": 0, "twitter": 1, "forex": 2, "synth": 3}


def read(name):
    return json.loads((WORK / name).read_text())


def shipped():
    """Words and their vectors from the model file."""
    data = TODAY.read_bytes()
    length = struct.unpack("<I", data[4:8])[0]
    head, base = json.loads(data[8 : 8 + length]), 8 + length
    part = lambda n, t: np.frombuffer(data, t, head["t"][n]["n"], base + head["t"][n]["o"])
    names = bytes(part("words", np.uint8)).decode().split("\n")
    vectors = part("glove", np.int8).reshape(len(names), -1).astype(np.float32) * part("glove.s", np.float32)[:, None]
    return names, vectors


def fnv1a(text):
    value = 0x811C9DC5
    for byte in text.encode("utf-8"):
        value = ((value ^ byte) * 0x01000193) & 0xFFFFFFFF
    return value


def letter_groups(word):
    bounded = f"<{word}>"
    groups = [bounded[i : i + n] for n in (3, 4, 5) for i in range(len(bounded) - n + 1)]
    return [fnv1a(group) % (LETTER_GROUPS - 1) + 1 for group in groups[:MAX_GROUPS]]


SUB = None


def spell(text):
    global SUB
    SUB = SUB or Subwords(WORK / "use_vocab.json")
    return SUB(text), words(text)


def synth_views(rows):
    """The text, and variants with the first asset or company marked as the target, or with a function word dropped."""
    rng = random.Random(5)
    import re
    names = sorted({x for k in ("coin", "exch", "cryptoco", "proto", "bigco", "co", "co2", "asset", "metal") for x in synth.L[k]}, key=lambda x: -len(x))
    pattern = re.compile(r"(?<!\w)(" + "|".join(map(re.escape, names)) + r")(?!\w)", re.I)
    out = []
    for row in rows:
        one = [row["t"]]
        for _ in range(VIEWS - 1):
            text = row["t"]
            if TARGET not in text and OTHER not in text and rng.random() < 0.3 and row["g"] != "pair":
                state = {}

                def sub(m):
                    state.setdefault("first", m.group(1).lower())
                    return TARGET if m.group(1).lower() == state["first"] else OTHER if rng.random() < 0.5 else m.group(1)

                text = pattern.sub(sub, text)
            elif rng.random() < 0.3:  # drop a function word
                parts = text.split()
                drop = [i for i, w in enumerate(parts) if w.lower() in ("the", "a", "its", "to", "in", "of", "for", "on", "and", "'s")]
                if drop and len(parts) > 5:
                    parts.pop(rng.choice(drop))
                text = " ".join(parts)
            one.append(text)
        out.append(one)
    return out


def main():
    data, made, lexicon = read("data.json"), read("synth.json"), read("lex.json")
    glove_words, glove = shipped()
    real = data["train"]
    texts = views(real, data["ents"]) + synth_views(made["train"])
    train = real + made["train"]
    dev = data["dev"] + [dict(t=r["t"], y=int(np.argmax(r["p"])), s="synth") for r in made["dev"]]

    rows = {word: i for i, word in enumerate(glove_words)}
    replaceable = sorted(
        w for w in {w for r in train for w in WORD.findall(r["t"].lower())} if rows.get(w, 0) > 60 and len(w) > 2 and w.isalpha()
    )
    near = neighbours(replaceable, glove_words, glove)
    count = int(sys.argv[1]) if len(sys.argv) > 1 else 320_000
    rng = random.Random(3)
    n = len(real)
    valued = [w for w in lexicon["fm"] if w.isalpha()]
    mine = [row[v] for row in texts[n:] for v in range(2)]
    of_real = augment([row[v] for row in texts[:n] for v in range(2)], near, valued, int(0.68 * count))
    of_made = augment(mine + rng.sample([row[0] for row in texts[:n]], n // 3), near, valued, count - len(of_real))
    extra = of_real + of_made

    own = {half: headlines.own(half) for half in ("training", "development")}
    # Without and with their category, which is known of a news item but not of any text.
    own_texts = {
        half: [clean(text) for text, _, _ in rows] + [f"{category}: {clean(text)}" for text, _, category in rows]
        for half, rows in own.items()
    }
    everything = {t for row in texts for t in row} | {r["t"] for r in dev} | set(extra)
    everything = sorted(everything.union(*own_texts.values()))
    with multiprocessing.Pool(os.cpu_count()) as pool:
        spelt = dict(zip(everything, pool.map(spell, everything, 2000)))
    numbers = {"": 0}
    number = lambda word: numbers.setdefault(word, len(numbers))

    def pack(batch):
        S, W, X = np.zeros((len(batch), MAX_PIECES), np.int16), np.zeros((len(batch), MAX_PIECES), np.int32), np.zeros((len(batch), MAX_WORDS), np.int32)
        for i, text in enumerate(batch):
            pieces, found = spelt[text]
            S[i, : len(pieces)] = [a for a, _ in pieces]
            W[i, : len(pieces)] = [number(b) for _, b in pieces]
            X[i, : len(found)] = [number(w) for w in found]
        return S, W, X

    number(TARGET), number(OTHER)
    out = {}
    packed = [pack([row[v] for row in texts]) for v in range(VIEWS)]
    for name, i in (("A_S", 0), ("A_W", 1), ("w_X", 2)):
        out[name] = np.stack([p[i] for p in packed], 1)
    out["A_dev_S"], out["A_dev_W"], out["w_dev"] = pack([r["t"] for r in dev])
    out["aug_S"], out["aug_W"], out["aug_X"] = pack(extra)
    for half, rows in own.items():
        out[f"{half}_S"], out[f"{half}_W"], out[f"{half}_X"] = pack(own_texts[half])
        out[f"{half}_y"] = np.array([label for _, label, _ in rows])
        out[f"{half}_category"] = np.array([category for _, _, category in rows])
    out["aug_real"] = np.arange(len(extra)) < len(of_real)
    out["P"] = np.array([r["p"] for r in train], np.float32)
    out["src"] = np.array([SOURCES[r["s"]] for r in train])
    out["ent"] = np.array([r["k"] == "ent" for r in train])
    out["dev_y"] = np.array([r["y"] for r in dev])
    out["dev_src"] = np.array([SOURCES[r["s"]] for r in dev])
    out["dev_kind"] = np.array(["-"] * len(data["dev"]) + [r["g"] for r in made["dev"]])
    out |= word_tables(list(numbers), {w: i + 1 for i, w in enumerate(glove_words)}, lexicon)
    out["glove"] = np.concatenate([np.zeros((1, glove.shape[1]), np.float32), glove])
    np.savez(WORK / "tok.npz", **out)
    (WORK / "surf.json").write_text(json.dumps(list(numbers)))
    (WORK / "ship_words.json").write_text(json.dumps(glove_words))
    print("rows", len(train), "real", n, "augmented", len(extra), "words", len(numbers), "with a vector:", int((out["surf_g"] > 0).sum()))


def word_tables(all_words, glove_rows, lexicon):
    """For each word: its row of GloVe (0: none), its valences and its character n-grams."""
    vectors = np.zeros(len(all_words), np.int32)
    valences = np.zeros((len(all_words), 2), np.float32)
    groups = np.zeros((len(all_words), MAX_GROUPS), np.int32)
    for i, word in enumerate(all_words):
        base = word[:-2] if word.endswith("'s") else word
        vectors[i] = glove_rows.get(word, glove_rows.get(base, 0))
        valences[i] = lexicon["fm"].get(base, 0) / 5, lexicon["vader"].get(base, 0) / 4
        if len(word) > 1 and word[0].isalpha() and word not in (TARGET, OTHER):
            found = letter_groups(word)
            groups[i, : len(found)] = found
    return {"surf_g": vectors, "surf_val": valences, "surf_ng": groups}


if __name__ == "__main__":
    main()
