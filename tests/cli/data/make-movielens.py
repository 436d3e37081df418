"""make-movielens.py DIR: a small set in the form of MovieLens 1M: 60 users, 40 movies, ratings that depend on both."""
import os
import random
import sys

random.seed(1)
folder = sys.argv[1]
os.makedirs(folder, exist_ok=True)
AGES = (1, 18, 25, 35, 45, 50, 56)
GENRES = ("Action", "Children's", "Comedy", "Drama", "Horror", "Romance", "Thriller", "Western")
users = [(u, AGES[u % 7]) for u in range(1, 61)]
movies = [(3 * m, GENRES[m % 8]) for m in range(1, 41)]
with open(os.path.join(folder, "users.dat"), "w", encoding="latin-1") as out:
    for user, age in users:
        out.write(f"{user}::{'FM'[user % 2]}::{age}::{user % 21}::12345\n")
with open(os.path.join(folder, "movies.dat"), "w", encoding="latin-1") as out:
    for movie, genre in movies:
        out.write(f"{movie}::Les \xe9toiles {movie} (1999)::{genre}|Fantasy\n")
with open(os.path.join(folder, "ratings.dat"), "w", encoding="latin-1") as out:
    for user, age in users:
        for movie, _ in movies:
            if random.random() < 0.4:
                rating = 3 + (user % 3 - 1) * (movie % 2) + random.choice((-1, 0, 0, 1))
                out.write(f"{user}::{movie}::{rating}::0\n")
