"""Chromium without a window, driven through chromedriver with nothing but the standard library."""

from __future__ import annotations

import base64
import json
import os
import shutil
import signal
import subprocess
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from http.client import HTTPConnection
from pathlib import Path
from typing import Any

ELEMENT = "element-6066-11e4-a52e-4f735466cecf"
"""What WebDriver calls the reference of an element."""
KEYS = {"left": "\ue012", "right": "\ue014", "home": "\ue011", "end": "\ue010", "escape": "\ue00c", "enter": "\ue007"}


def missing() -> str:
    """Which program is not there; empty where all are."""
    return next((name for name in ("chromium", "chromedriver") if shutil.which(name) is None), "")


class Browser:
    """One page in one window."""

    def __init__(self, port: int, scratch: Path) -> None:
        self._port = port
        arguments = [
            "--headless=new", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--no-first-run",
            "--hide-scrollbars", f"--user-data-dir={scratch / 'profile'}",
        ]  # fmt: skip
        options = {"args": arguments, "binary": shutil.which("chromium")}
        wanted = {"browserName": "chrome", "goog:chromeOptions": options, "goog:loggingPrefs": {"browser": "ALL"}}
        self._session = (
            f"/session/{self._ask('POST', '/session', {'capabilities': {'alwaysMatch': wanted}})['sessionId']}"
        )

    def open(self, address: str) -> None:
        """Load a page and wait until its script has set it up."""
        self._ask("POST", f"{self._session}/url", {"url": "about:blank"})
        self._ask("POST", f"{self._session}/url", {"url": address})
        self.until("return document.documentElement.dataset.ready === 'yes'")

    def run(self, script: str, *arguments: object) -> Any:
        """What a piece of JavaScript returns."""
        return self._ask("POST", f"{self._session}/execute/sync", {"script": script, "args": list(arguments)})

    def until(self, script: str, seconds: float = 20.0) -> None:
        """Wait until a piece of JavaScript returns something true."""
        end = time.monotonic() + seconds
        while not self.run(script):
            assert time.monotonic() < end, f"it never came: {script}"

    def click(self, selector: str) -> None:
        """Click where a person would; a thing that is hidden or covered can't be clicked."""
        self._ask("POST", f"{self._session}/element/{self._find(selector)}/click", {})

    def type(self, selector: str, text: str) -> None:
        """Type into a field."""
        self._ask("POST", f"{self._session}/element/{self._find(selector)}/value", {"text": text})

    def press(self, *names: str) -> None:
        """Press keys, wherever the focus is; by name or as they are."""
        strokes = []
        for name in names:
            key = KEYS.get(name, name)
            strokes += [{"type": "keyDown", "value": key}, {"type": "keyUp", "value": key}]
        action = {"type": "key", "id": "keyboard", "actions": strokes}
        self._ask("POST", f"{self._session}/actions", {"actions": [action]})

    def text(self, selector: str) -> str:
        """What is to be read there."""
        found: str = self._ask("GET", f"{self._session}/element/{self._find(selector)}/text")
        return found

    def count(self, selector: str) -> int:
        """How many such elements there are."""
        return int(self.run("return document.querySelectorAll(arguments[0]).length", selector))

    def choose(self, selector: str, text: str) -> None:
        """Choose what is called so in a list."""
        script = (
            "const list = document.querySelector(arguments[0]);"
            "list.value = [...list.options].find((one) => one.text === arguments[1]).value;"
            "list.dispatchEvent(new Event('input', { bubbles: true }));"
        )
        self.run(script, selector, text)

    def resize(self, width: int, height: int) -> None:
        """Another size of the window, scroll bars not counted; below 500 pixels by telling it to be a phone."""
        metrics = {"width": width, "height": height, "deviceScaleFactor": 1, "mobile": width < 500}
        self._devtools("Emulation.setDeviceMetricsOverride", metrics)

    def prefer(self, scheme: str) -> None:
        """`dark` or `light`; and nothing that moves, so that there is nothing to wait for."""
        features = [
            {"name": "prefers-color-scheme", "value": scheme},
            {"name": "prefers-reduced-motion", "value": "reduce"},
        ]
        self._devtools("Emulation.setEmulatedMedia", {"features": features})

    def screenshot(self, path: Path) -> None:
        """What is seen now, as a PNG file."""
        path.write_bytes(base64.b64decode(self._ask("GET", f"{self._session}/screenshot")))

    def complaints(self) -> list[str]:
        """What the browser has said about the pages since it was asked last: errors of scripts, refused resources."""
        return [entry["message"] for entry in self._ask("POST", f"{self._session}/se/log", {"type": "browser"})]

    def close(self) -> None:
        """End the session and the browser."""
        self._ask("DELETE", self._session)

    def _devtools(self, command: str, parameters: Mapping[str, object]) -> None:
        self._ask("POST", f"{self._session}/goog/cdp/execute", {"cmd": command, "params": parameters})

    def _find(self, selector: str) -> str:
        found = self._ask("POST", f"{self._session}/element", {"using": "css selector", "value": selector})
        return str(found[ELEMENT])

    def _ask(self, method: str, path: str, body: object = None) -> Any:
        connection = HTTPConnection("127.0.0.1", self._port, timeout=60)
        try:
            text = None if body is None else json.dumps(body)
            connection.request(method, path, text, {"Content-Type": "application/json"})
            answer = json.loads(connection.getresponse().read())["value"]
        finally:
            connection.close()
        assert not (isinstance(answer, dict) and "error" in answer), f"{method} {path}: {answer.get('message')}"
        return answer


@contextmanager
def browser(scratch: Path) -> Iterator[Browser]:
    """A browser that is gone afterwards, with all of its processes."""
    driver = subprocess.Popen(
        ["chromedriver", "--port=0"], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True,
        start_new_session=True,
    )  # fmt: skip
    try:
        assert driver.stdout is not None
        line = next(line for line in driver.stdout if "started successfully on port" in line)
        found = Browser(int(line.rstrip().rstrip(".").rpartition(" ")[2]), scratch)
        try:
            yield found
        finally:
            found.close()
    finally:
        driver.send_signal(signal.SIGTERM)
        with suppress(subprocess.TimeoutExpired):
            driver.wait(20)
        with suppress(ProcessLookupError):
            os.killpg(driver.pid, signal.SIGKILL)  # whatever is left of the browser, too
        driver.wait()
        if driver.stdout is not None:
            driver.stdout.close()
