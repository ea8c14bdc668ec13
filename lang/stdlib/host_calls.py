"""Where a host function runs: in place, or in a thread so that only the caller waits (design "Prompt and image").

Comes in: a host function and arguments of the language. Guarantees: a function of `BLOCKING`, or any that is called
`inThread`, runs in a worker thread on converted arguments; the running process is parked meanwhile and can be
interrupted, its call then goes on unheard. Everything else runs in place, where it may call blocks. Values are
converted in the evaluator's thread alone.
"""

from __future__ import annotations

from collections.abc import Callable
from enum import Enum
from typing import TYPE_CHECKING, Final

from lang.stdlib.blocking import run_blocking
from lang.stdlib.host_values import from_python, guarded, to_python

if TYPE_CHECKING:
    from lang.runtime.runtime import Runtime

HostFunction = Callable[..., object]


class Place(Enum):
    """Where calls are made."""

    BY_TABLE = "in a thread where the table says so"
    IN_THREAD = "in a thread"


BLOCKING: Final = frozenset(
    "time.sleep builtins.input select.select select.poll.poll select.epoll.poll "
    "posix.system posix.wait posix.waitpid posix.wait3 posix.wait4 "
    "subprocess.run subprocess.call subprocess.check_call subprocess.check_output subprocess.getoutput "
    "subprocess.getstatusoutput subprocess.Popen.wait subprocess.Popen.communicate "
    "urllib.request.urlopen urllib.request.urlretrieve urllib.request.OpenerDirector.open "
    "http.client.HTTPConnection.connect http.client.HTTPConnection.request "
    "http.client.HTTPConnection.getresponse http.client.HTTPResponse.read "
    "socket.create_connection socket.getaddrinfo socket.getfqdn _socket.gethostbyname _socket.gethostbyaddr "
    "socket.socket.accept _socket.socket.connect _socket.socket.recv _socket.socket.recv_into "
    "_socket.socket.recvfrom _socket.socket.send _socket.socket.sendall _socket.socket.sendto "
    "threading.Event.wait threading.Thread.join threading.Barrier.wait "
    "queue.Queue.get queue.Queue.put queue.Queue.join "
    "concurrent.futures._base.Future.result concurrent.futures._base.Future.exception "
    "concurrent.futures._base.wait multiprocessing.process.BaseProcess.join "
    "shutil.copyfile shutil.copy shutil.copy2 shutil.copytree shutil.move shutil.rmtree "
    "shutil.make_archive shutil.unpack_archive "
    "ftplib.FTP.connect ftplib.FTP.retrbinary ftplib.FTP.storbinary smtplib.SMTP.connect smtplib.SMTP.send_message "
    "requests.api.request requests.api.get requests.api.post requests.api.put requests.api.patch "
    "requests.api.delete requests.api.head requests.sessions.Session.request requests.sessions.Session.get "
    "requests.sessions.Session.post".split()
)
"""Functions that wait for something outside, by the module that defines them and their qualified name.

Only such whose arguments are plain values: none calls back, and none depends on the thread that calls it.
"""


def called(
    runtime: Runtime, function: HostFunction, arguments: list[object], place: Place = Place.BY_TABLE
) -> object:
    """The converted answer of a host function for arguments that are yet to be converted."""
    values = [to_python(argument) for argument in arguments]

    def run() -> object:
        if place is Place.IN_THREAD or origin_of(function) in BLOCKING:
            return run_blocking(runtime, lambda: function(*values))
        return function(*values)

    return from_python(guarded(run))


def origin_of(function: HostFunction) -> str:
    """The module that defines a function or method, and its name there."""
    bound = getattr(function, "__func__", function)
    name = getattr(bound, "__qualname__", "")
    module = getattr(bound, "__module__", None)
    if module is None:  # a method of a builtin type: its class says where it comes from
        short = getattr(bound, "__name__", "")
        for owner in type(getattr(function, "__self__", None)).__mro__:
            if short in vars(owner):
                return f"{owner.__module__}.{owner.__qualname__}.{short}"
    return f"{module}.{name}"
