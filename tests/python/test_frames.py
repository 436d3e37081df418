"""`roster.evaluate` on tables of polars and pyarrow, Parquet files among them."""
import os
import tempfile
import unittest

import numpy as np
import pandas
import polars
import pyarrow
import pyarrow.parquet
from test_evaluate import ACTIONS, EXPERTS, Classifier, some_log

import roster

NEEDS = "numpy pandas polars pyarrow"


class Frames(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.log = some_log()

    def tables(self, log):
        """The same log, held by whatever can hold it."""
        arrow = pyarrow.Table.from_pandas(log, preserve_index=False)
        coded = pyarrow.table({name: column.dictionary_encode() if name == "action" else column
                               for name, column in zip(arrow.column_names, arrow.columns)})
        chunked = pyarrow.concat_tables([arrow.slice(0, 100), arrow.slice(100)])
        frame = polars.from_pandas(log)
        yield from (arrow, coded, chunked, chunked.to_batches()[0] if len(log) <= 100 else arrow.combine_chunks())
        yield frame
        yield frame.with_columns(polars.col("device").cast(polars.Categorical))
        yield arrow.to_pandas(types_mapper=pandas.ArrowDtype)

    def test_the_same_figures(self):
        options = {"context": ["device", "hour"], "by": "device", "policies": ["uniform", "greedy", "always:blue"]}
        expected = roster.evaluate(self.log, **options).to_json()
        for table in self.tables(self.log):
            self.assertEqual(roster.evaluate(table, **options).to_json(), expected, type(table))

    def test_parquet(self):
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "log.parquet")
            self.log.to_parquet(path)
            self.assertEqual(roster.evaluate(pyarrow.parquet.read_table(path), context="device").to_json(),
                             roster.evaluate(self.log, context="device").to_json())

    def test_experts(self):
        log = self.log.assign(share=.25, choice=np.where(self.log.hour > 0, "blue", "red"))
        options = {"context": "device", "inputs": "hour"}
        experts = {"new": Classifier(), "share": "share", "choice": "choice",
                   "f": lambda hour: "blue" if hour else "red"}
        expected = roster.evaluate(log, experts, **options).to_json()
        for table in self.tables(log):
            self.assertEqual(roster.evaluate(table, experts, **options).to_json(), expected, type(table))
        places = log.assign(action=log.action.map(ACTIONS.index))
        expected = roster.evaluate(log, EXPERTS, context="device").to_json()
        for table in self.tables(places):
            self.assertEqual(roster.evaluate(table, EXPERTS, context="device").to_json(), expected, type(table))

    def test_missing_values(self):
        for name, sentence in (("reward", "row 7: (the reward|'reward') is"), ("action", "row 7: the action is empty")):
            for table in self.tables(self.log.assign(**{name: self.log[name].where(self.log.index != 7)})):
                with self.assertRaisesRegex(ValueError, sentence):
                    roster.evaluate(table)

    def test_learn_batch(self):
        names = polars.DataFrame({"expert": ["bold", "calm"], "context": ["desk", "phone"], "action": ["red", "blue"]})
        one, two = roster.Agent("d-ucb", EXPERTS), roster.Agent("d-ucb", EXPERTS)
        one.learn_batch(names["expert"], names["context"], names["action"], [1, 0])
        two.learn_batch([0, 1], [0, 1], [0, 2], [1, 0])
        self.assertEqual(one.snapshot(), two.snapshot())

    def test_lazy_frames_are_refused(self):
        with self.assertRaisesRegex(TypeError, "the log is LazyFrame, must be"):
            roster.evaluate(polars.from_pandas(self.log).lazy())
