"""The project of the examples of types.md 8, with the callers of 8.7 (for tests)."""

from __future__ import annotations

from typing import Final

BOILERS: Final = {
    "src/Boiler.bt": """Actor subclass: Boiler
  state: level :: Integer = 0
  state: mode :: #idle | #hot = #idle

  heat: n :: Integer -> Integer => self.level := self.level + n

  level -> Integer => self.level

  label -> String | Nil => nil
""",
    "src/Spare.bt": "Actor subclass: Spare\n  level -> Integer => 9\n",
    "src/SteamBoiler.bt": "Boiler subclass: SteamBoiler\n  vent -> Nil => nil\n",
    "src/Pebble.bt": 'Value subclass: Pebble\n  field: grams :: Integer = 1\n  shine -> String => "dull"\n',
    "src/Gauge.bt": 'Value subclass: Gauge\n  read -> Integer => 7\n  shine -> String => "bright"\n  class make -> Self => self new\n',
    "src/Mirror.bt": "Value subclass: Mirror\n  doesNotUnderstand: sel args: args => nil\n",
    "src/Weighable.bt": "Protocol define: Weighable\n  grams -> Integer\n",
    "src/Switch.bt": "type Switch = #on | #off\n",
    "src/Panel.bt": "Object subclass: Panel\n  a: b :: Boiler -> Integer => b level + 1\n",
    "src/Panel2.bt": "Object subclass: Panel2\n  a: s :: SteamBoiler => s level\n",
    "src/Wall.bt": "Object subclass: Wall\n  a: x :: Spare => x level + 1\n",
    "src/Attic.bt": "Object subclass: Attic\n  a: q => q level\n",
    "src/Hall.bt": "Object subclass: Hall\n  a: o :: Object => o level\n",
    "src/Pair.bt": "Object subclass: Pair\n  a: u :: Boiler | Spare => u level\n",
    "src/Odd.bt": "Object subclass: Odd\n  a: u :: Spare | Gauge => u level\n",
}
