"""The key of a board in a file, and its change: the next key is kept beside it until the server has taken it."""

import os


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

    @staticmethod
    def read(path):
        if not os.path.exists(path):
            return None
        with open(path, encoding="ascii") as file:
            return file.read().strip()

    def present(self):
        return self.next or self.key

    def judge(self, answer):
        """The first answer to the next key says whether it works; the one before is kept until then."""
        if not self.next or answer.status == 0 or answer.status >= 500:
            return
        if answer.code == "device-key.unknown":
            self.next = None
            os.remove(self.next_path)
            return
        write(self.path, self.next)
        os.remove(self.next_path)
        self.key, self.next = self.next, None

    def rotate(self, line):
        answer = line.call("POST", "key")
        if answer.status == 201:
            write(self.next_path, answer.json()["key"])
            self.next = answer.json()["key"]
        return answer
