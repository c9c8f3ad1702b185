"""Step 5. work/NAME.pt -> the model file, 8 bits per weight. packages/sentiment/src/model-file.ts describes the format.

export.py NAME FILE"""

import json
import struct
import sys

import numpy as np
import torch

from paths import WORK

CONTROLS = 6


class File:
    def __init__(self):
        self.entries, self.parts, self.size = {}, [], 0

    def _append(self, name, data, **description):
        data += b"\0" * (-len(data) % 4)
        self.entries[name] = dict(o=self.size, **description)
        self.parts.append(data)
        self.size += len(data)

    def add(self, name, array):
        kind = {"int8": "i8", "float32": "f32"}[str(array.dtype)]
        self._append(name, array.tobytes(), n=int(array.size), t=kind, s=list(array.shape))

    def floats(self, name, array):
        self.add(name, np.ascontiguousarray(array, np.float32))

    def quantised(self, name, matrix):
        """One scale per row, so that its largest weight becomes 127."""
        scale = np.abs(matrix).max(1) / 127
        scale[scale == 0] = 1e-8
        self.add(name, np.clip(np.rint(matrix / scale[:, None]), -127, 127).astype(np.int8))
        self.floats(name + ".s", scale)

    def names(self, name, lines):
        data = "\n".join(lines).encode()
        self._append(name, data, n=len(data), t="str")

    def write(self, path, **header):
        text = json.dumps(dict(**header, t=self.entries)).encode()
        text += b" " * ((-len(text) - 8) % 8)
        with open(path, "wb") as file:
            file.write(b"SENT" + struct.pack("<I", len(text)) + text + b"".join(self.parts))
        print(path, 8 + len(text) + self.size, "bytes")


def read(name):
    return json.loads((WORK / name).read_text())


def main():
    student = torch.load(WORK / f"{sys.argv[1]}.pt", map_location="cpu", weights_only=True)
    # Round to 16 bits first, as for the committed model.
    weights = {name: value.half().float().numpy() for name, value in student["weights"].items()}
    layers, width = student["config"].get("layers", 2), student["config"].get("d", 512)
    vocabulary, lexicon = read("use_vocab.json"), read("lex.json")
    file = File()

    # The input is lower case, so pieces with capitals never match.
    kept = [i for i, (piece, _) in enumerate(vocabulary) if i < CONTROLS or not any("A" <= c <= "Z" for c in piece)]
    file.quantised("emb", weights["u.enc.emb.weight"][kept])
    file.floats("score", [vocabulary[i][1] or 0 for i in kept])
    file.floats("inv", weights["u.enc.inv"])
    with np.load(WORK / "tok.npz") as tokens:
        file.quantised("glove", tokens["glove"].astype(np.float32)[1:])
    file.quantised("ng", weights["w.ng.weight"])
    for i in range(layers):
        block = f"u.enc.blks.{i}"
        for linear in ("qkv", "o", "f1", "f2"):
            file.quantised(f"b{i}.{linear}", weights[f"{block}.{linear}.weight"])
            file.floats(f"b{i}.{linear}.b", weights[f"{block}.{linear}.bias"])
        for norm in ("ln1", "ln2"):
            file.floats(f"b{i}.{norm}.g", weights[f"{block}.{norm}.weight"])
            file.floats(f"b{i}.{norm}.b", weights[f"{block}.{norm}.bias"])
    for half in ("u", "w"):
        file.quantised(f"{half}.gp", weights[f"{half}.gp.weight"])
    for half in ("u", "w"):
        file.floats(f"{half}.lv", weights[f"{half}.lv"])
        if half == "w":
            file.floats("w.sp.weight", weights["w.sp.weight"])
        for part in ("ln.weight", "ln.bias", "head.weight", "head.bias"):
            file.floats(f"{half}.{part}", weights[f"{half}.{part}"])
    for k in range(4):
        convolution = weights[f"w.cv.{k}.weight"]  # channels × width × window
        file.quantised(f"cv{k}", convolution.transpose(0, 2, 1).reshape(len(convolution), -1))
        file.floats(f"cv{k}.b", weights[f"w.cv.{k}.bias"])

    value = lambda name, word: lexicon[name].get(word, 0)
    plain = lambda word: word and all("a" <= c <= "z" or c == "'" for c in word)
    listed = sorted(w for w in {*lexicon["fm"], *lexicon["vader"]} if plain(w) and (value("fm", w) or value("vader", w)))
    file.add("lexv", np.array([[round(10 * value(n, w)) for n in ("fm", "vader")] for w in listed], np.int8))
    file.names("words", read("ship_words.json"))
    file.names("pieces", [vocabulary[i][0] for i in kept])
    file.names("lexw", listed)
    file.write(sys.argv[2], layers=layers, d=width)


if __name__ == "__main__":
    main()
