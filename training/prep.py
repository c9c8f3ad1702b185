"""Step 1. Labelled headlines -> work/data.json: training, development and test rows.

Labels: 0 negative, 1 neutral, 2 positive."""

import argparse
import collections
import hashlib
import json
from pathlib import Path

import headlines
from paths import HEADLINES, WORK
from texts import TARGET, clean, key, mask


def md5(text):
    return hashlib.md5(text.encode()).hexdigest()


def split(keys):
    """Splits the keys in the order of md5("v1" + key): the first 15 % are the test split, the next 8.5 % the development
    split, the rest is for training. Never change this rule."""
    keys = sorted(keys, key=lambda k: md5("v1" + k))
    n = round(0.15 * len(keys))
    return keys, set(keys[:n]), set(keys[n : n + round(0.085 * len(keys))])


def twitter_development(text):
    """True for a tenth of the groups of texts with the same first four words."""
    return int(md5(" ".join(key(text).split()[:4]))[:8], 16) % 10 == 0


def headline_label(entities):
    """One label for a headline; None if its entities have opposite labels."""
    labels = {label for _, label in entities}
    if 0 in labels and 2 in labels:
        return None
    return 2 if 2 in labels else 0 if 0 in labels else 1


def one_hot(label):
    return [float(i == label) for i in range(3)]


def headline_target(entities):
    """The training target of a headline; softer if its entities disagree."""
    label = headline_label(entities)
    if label is None:
        return [0.4, 0.2, 0.4], "conf"
    if len({l for _, l in entities}) == 1:
        return one_hot(label), "head"
    return [0.65 if i == label else 0.35 if i == 1 else 0.0 for i in range(3)], "head"


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--data", type=Path, default=HEADLINES, help="folder of the labelled headlines")
    data = parser.parse_args().data
    WORK.mkdir(exist_ok=True)

    evaluation = headlines.evaluation_sets(data)
    # gold_nonone is a subset of gold_none2neu.
    evaluated = {key(row[0]) for name, rows in evaluation.items() if name != "gold_nonone" for row in rows}
    if (WORK / "excluded.json").exists():
        evaluated |= set(json.loads((WORK / "excluded.json").read_text()))

    evaluated |= {key(text) for text, _, _ in headlines.own("blind")}

    groups = collections.defaultdict(list)
    for title, entities in headlines.sentfin(data):
        groups[key(title)].append((title, entities))
    keys, tested, developed = split(groups)

    train, development, dropped = [], [], 0
    test, unanimous, by_entity = [], [], []
    for k in keys:
        if k in tested:
            title, entities = groups[k][0]
            label = headline_label([entity for _, group in groups[k] for entity in group])
            if label is not None:
                test.append((title, label))
                if len({l for _, group in groups[k] for _, l in group}) == 1:
                    unanimous.append((title, label))
            for i, (_, entity_label) in enumerate(entities):
                masked = mask(title, entities, i)
                if masked:
                    by_entity.append((masked, entity_label, title))
            continue
        for title, entities in groups[k]:
            if k in evaluated:
                dropped += 1
            elif k in developed:
                if headline_label(entities) is not None:
                    development.append(dict(t=clean(title), y=headline_label(entities), s="sentfin"))
            else:
                target, kind = headline_target(entities)
                train.append(dict(t=clean(title), p=target, s="sentfin", k=kind))
                alike = len({l for _, l in entities}) == 1
                for i, (_, label) in enumerate(entities):
                    masked = mask(title, entities, i)
                    if masked:
                        train.append(dict(t=masked, p=one_hot(label), s="sentfin", k="ent", u=alike))

    for text, label in headlines.twitter(data, "sent_train.csv"):
        if key(text) in evaluated or key(text) in tested:
            dropped += 1
        elif twitter_development(text):
            development.append(dict(t=clean(text), y=label, s="twitter"))
        else:
            train.append(dict(t=clean(text), p=one_hot(label), s="twitter", k="head"))

    for text, label, pair in headlines.forex(data, "forex_headlines_excerpt_dev.csv"):
        if key(text) in evaluated:
            dropped += 1
            continue
        plain = clean(text)
        train.append(dict(t=plain, p=one_hot(label), s="forex", k="head"))
        if pair in plain:
            train.append(dict(t=plain.replace(pair, TARGET), p=one_hot(label), s="forex", k="ent"))

    evaluation["sentfin_test"], evaluation["sentfin_test_unan"] = test, unanimous
    tests = {name: [(clean(text), label) for text, label in rows] for name, rows in evaluation.items()}
    tests["sentfin_test_entity"] = [(masked, label) for masked, label, _ in by_entity]
    tests["sentfin_test_entity_unmasked"] = [(clean(title), label) for _, label, title in by_entity]
    names = sorted(
        {
            clean(name)
            for k in keys
            if k not in tested and k not in developed
            for _, entities in groups[k]
            for name, _ in entities
            if 2 < len(name) < 40
        }
    )
    (WORK / "data.json").write_text(json.dumps(dict(train=train, dev=development, test=tests, ents=names)))

    print("train", len(train), dict(collections.Counter((row["s"], row["k"]) for row in train)))
    print("development", len(development), dict(collections.Counter(row["s"] for row in development)))
    print("dropped, because the text is also in a set to be measured on:", dropped)
    trained = {key(row["t"]) for row in train if row["k"] != "ent"}
    for name, rows in tests.items():
        overlap = sum(key(text) in trained for text, _ in rows)
        print(name, len(rows), dict(collections.Counter(label for _, label in rows)), "also trained on:", overlap)


if __name__ == "__main__":
    main()
