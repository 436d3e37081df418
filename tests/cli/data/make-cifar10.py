"""make-cifar10.py DIR: a small set in the form of CIFAR-10's binary version: 5 x 50 and 80 images, a colour per class."""
import os
import random
import sys

random.seed(1)
folder = sys.argv[1]
os.makedirs(folder, exist_ok=True)
COLOURS = [[random.randrange(40, 216) for _ in range(3)] for _ in range(10)]


def image(label):
    """A label byte and three planes of 32 x 32: the class's colour, stripes as wide as the class's number, noise."""
    planes = bytes(max(0, min(255, colour + (30 if (column // (1 + label)) % 2 else -30) + random.randrange(-20, 21)))
                   for colour in COLOURS[label] for row in range(32) for column in range(32))
    return bytes([label]) + planes


for name, count in [(f"data_batch_{b}.bin", 50) for b in range(1, 6)] + [("test_batch.bin", 80)]:
    with open(os.path.join(folder, name), "wb") as out:
        for i in range(count):
            out.write(image(i % 10))
