"""
The key of a board in a file, and its change: the next key is kept beside it until the server has taken it, and the former one until the next
change. A server whose backup was brought back knows the former one alone.
"""

import os

REFUSALS_BEFORE_FORMER = 2


def write(path, text):
    """Whole or not at all, even when the power fails meanwhile."""
    with open(path + ".new", "w", encoding="ascii") as file:
        file.write(text)
        file.flush()
        os.fsync(file.fileno())
    os.replace(path + ".new", path)


class Keys:
    def __init__(self, path):
        self.path = path
        self.next_path = path + ".next"
        self.key = self.read(path)
        self.next = self.read(self.next_path)
        self.former_path = path + ".former"
        self.former = self.read(self.former_path)
        self.refusals = 0

    @staticmethod
    def read(path):
        if not os.path.exists(path):
            return None
        with open(path, encoding="ascii") as file:
            return file.read().strip()

    def present(self):
        return self.next or (self.former if self.is_trying_former() else self.key)

    def is_trying_former(self):
        return self.former is not None and self.refusals >= REFUSALS_BEFORE_FORMER

    def judge(self, answer):
        """Keeps the key that the answer has shown to work. True where the same is to be asked with another key."""
        if answer.status == 0 or answer.status >= 500:
            return False
        is_unknown = answer.code == "device-key.unknown"
        if self.next:
            # The first answer to the next key says whether it works; the one before is kept until then.
            self.next = None if is_unknown else self.take(self.next)
            os.remove(self.next_path)
            return is_unknown
        if self.is_trying_former():
            if is_unknown:
                self.former = None
                os.remove(self.former_path)
            elif 200 <= answer.status < 300:
                # The present one may be known again when the service brings back a newer backup.
                self.take(self.former)
            return False
        self.refusals = self.refusals + 1 if is_unknown else 0
        return self.is_trying_former()

    def take(self, key):
        write(self.former_path, self.key)
        write(self.path, key)
        self.former, self.key = self.key, key
        self.refusals = 0

    def rotate(self, line):
        answer = line.call("POST", "key")
        if answer.status == 201:
            write(self.next_path, answer.json()["key"])
            self.next = answer.json()["key"]
        return answer
