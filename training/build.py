"""Step 2. work/data.json -> work/tok.npz: encoded texts, augmented texts, and the word tables.

build.py [COUNT]: number of augmented texts, 280,000 by default."""

import json
import sys

import numpy as np

from augment import augment, neighbours
from paths import WORK
from subwords import MAX_PIECES, MAX_WORDS, WORD, Subwords, words
from texts import OTHER, TARGET
from views import VIEWS, views

SHIPPED_WORDS = 60_000  # in addition to the words of the training texts; never chosen from evaluation texts
LETTER_GROUPS, MAX_GROUPS = 1 << 15, 24
AUGMENTED_PIECES = 48
SOURCES = {"sentfin": 0, "twitter": 1, "forex": 2}


def read(name):
    return json.loads((WORK / name).read_text())


class Words:
    """Assigns ids to words in the order of first use; 0 means no word."""

    def __init__(self):
        self.numbers = {"": 0}

    def __call__(self, word):
        return self.numbers.setdefault(word, len(self.numbers))


def fnv1a(text):
    value = 0x811C9DC5
    for byte in text.encode("utf-8"):
        value = ((value ^ byte) * 0x01000193) & 0xFFFFFFFF
    return value


def letter_groups(word):
    bounded = f"<{word}>"
    groups = [bounded[i : i + n] for n in (3, 4, 5) for i in range(len(bounded) - n + 1)]
    return [fnv1a(group) % (LETTER_GROUPS - 1) + 1 for group in groups[:MAX_GROUPS]]


def main():
    data, lexicon, glove_words = read("data.json"), read("lex.json"), read("glove_words.json")
    glove = np.load(WORK / "glove.npy")
    subwords, number = Subwords(WORK / "use_vocab.json"), Words()
    texts = views(data["train"], data["ents"])

    trained = {word for row in texts for text in row for word in WORD.findall(text.lower())}
    shipped = [i for i, word in enumerate(glove_words) if i < SHIPPED_WORDS or word in trained]

    def pack_pieces(batch):
        pieces, of_words = np.zeros((len(batch), MAX_PIECES), np.int16), np.zeros((len(batch), MAX_PIECES), np.int32)
        for i, text in enumerate(batch):
            spelt = subwords(text)
            pieces[i, : len(spelt)] = [id for id, _ in spelt]
            of_words[i, : len(spelt)] = [number(word) for _, word in spelt]
        return pieces, of_words

    def pack_words(batch):
        out = np.zeros((len(batch), MAX_WORDS), np.int32)
        for i, text in enumerate(batch):
            found = words(text)
            out[i, : len(found)] = [number(word) for word in found]
        return out

    out = {}
    by_view = [[row[view] for row in texts] for view in range(VIEWS)]
    packed = [pack_pieces(batch) for batch in by_view]
    out["A_S"], out["A_W"] = np.stack([a for a, _ in packed], 1), np.stack([b for _, b in packed], 1)
    out["w_X"] = np.stack([pack_words(batch) for batch in by_view], 1)
    measured = {"dev": [row["t"] for row in data["dev"]]} | {n: [t for t, _ in rows] for n, rows in data["test"].items()}
    for name, batch in measured.items():
        out[f"A_{name}_S"], out[f"A_{name}_W"] = pack_pieces(batch)
        out[f"w_{name}"] = pack_words(batch)
    out["P"] = np.array([row["p"] for row in data["train"]], np.float32)
    out["src"] = np.array([SOURCES[row["s"]] for row in data["train"]])
    out["ent"] = np.array([row["k"] == "ent" for row in data["train"]])
    out["dev_y"] = np.array([row["y"] for row in data["dev"]])
    out["dev_src"] = np.array([SOURCES[row["s"]] for row in data["dev"]])
    for name, rows in data["test"].items():
        out[f"y_{name}"] = np.array([label for _, label in rows], np.int8)

    rows, kept = {word: i for i, word in enumerate(glove_words)}, set(shipped)
    replaceable = sorted(
        word
        for word in {word for row in data["train"] for word in WORD.findall(row["t"].lower())}
        if rows.get(word, 0) > 60 and rows[word] in kept and len(word) > 2 and word.isalpha()
    )
    near = neighbours(replaceable, glove_words, glove)
    count = int(sys.argv[1]) if len(sys.argv) > 1 else 280_000
    flat = [row[view] for row in texts for view in range(2)]
    spelt = [subwords(t, AUGMENTED_PIECES) for t in augment(flat, near, [w for w in lexicon["fm"] if w.isalpha()], count)]
    out["aug_s"] = np.array([id for text in spelt for id, _ in text], np.uint16)
    out["aug_w"] = np.array([number(word) for text in spelt for _, word in text], np.int32)
    out["aug_n"] = np.array([len(text) for text in spelt], np.uint8)

    out |= word_tables(list(number.numbers), {glove_words[i]: row + 1 for row, i in enumerate(shipped)}, lexicon)
    out["glove"] = np.concatenate([np.zeros((1, glove.shape[1]), np.float16), glove[shipped]])
    np.savez_compressed(WORK / "tok.npz", **out)
    (WORK / "surf.json").write_text(json.dumps(list(number.numbers)))
    (WORK / "ship_words.json").write_text(json.dumps([glove_words[i] for i in shipped]))
    print("words", len(number.numbers), "with a vector of the", len(shipped), "shipped:", int((out["surf_g"] > 0).sum()))


def word_tables(all_words, glove_rows, lexicon):
    """For each word: its GloVe row (0: none), its valences and its character n-grams."""
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
