"""The effect of a change of one property on its resource, as far as the catalog and the update policies decide it."""

from collections.abc import Iterator, Mapping

from msgspec import Struct

from heatstudio.catalog.rules.update_rule import UpdateBehavior, UpdateRule
from heatstudio.catalog.schema import Family, PropertySchema, ResourceType
from heatstudio.update.plan.outcome import SENTENCES, Outcome, outcome_of_action
from heatstudio.update.plan.update_plan import Action
from heatstudio.update.sides.update_side import ANY_PROPERTY

_NO_VALUES: Mapping[object, object] = {}


class PropertyEffect(Struct, frozen=True):
    """The effect of a change of one property, with everything below it; Heat compares only whole properties."""

    outcome: Outcome
    sentence: str
    certain: bool = True
    by_default: bool = False
    """Whether an update policy that the resource does not set decides."""

    @property
    def words(self) -> str:
        """The outcome in words, with `may` if it depends on values."""
        return self.outcome.words(certain=self.certain)


def schema_effect(schema: PropertySchema) -> tuple[Action, str]:
    """Return what the schema of a top-level property allows, and Heat's sentence."""
    if schema.immutable:
        words = "Resource update will fail on any attempt to update this property."
        return Action.NOT_SUPPORTED, f"{SENTENCES[Outcome.NOT_SUPPORTED]}. {words}"
    action = Action.UPDATED if schema.update_allowed else Action.REPLACED
    return action, f"{SENTENCES[outcome_of_action(action)]}."


def concerns(rule: UpdateRule, name: str) -> bool:
    """Return whether a rule decides on changes of a property."""
    return name in rule.changed or ANY_PROPERTY in rule.changed or name in (rule.decreased, rule.not_superset)


def property_effect(
    kind: ResourceType, behavior: UpdateBehavior, name: str, given: Mapping[object, object] = _NO_VALUES
) -> PropertyEffect:
    """Return the effect of a change of a top-level property; `given` has the written properties of the resource.

    If the effect depends on values, return the most severe one.
    """
    if Family.NO_OP in kind.families:
        return PropertyEffect(Outcome.UNCHANGED, "Heat never updates or replaces resources of this type.")
    if behavior.always_replaced:
        return _because(Outcome.REPLACED, behavior.always_replaced)
    action, sentence = schema_effect(kind.properties[name])
    if action is not Action.UPDATED:
        return PropertyEffect(outcome_of_action(action), sentence)
    truths = [(rule, _holds(rule, kind, name, given)) for rule in _rules(behavior, name, given)]
    policies = {policy for rule, _ in truths for policy in rule.after if policy != name and policy not in given}
    for rule, truth in truths:
        if truth:
            outcome = Outcome.NOT_SUPPORTED if rule.refuses else Outcome.REPLACED
            return _because(outcome, rule.reason, by_default=bool(policies.intersection(rule.after)))
    possible = [rule for rule, truth in truths if truth is None]
    outcome = Outcome.MAY_BE_REPLACED if possible else Outcome.UPDATED
    if any(rule.refuses for rule in possible):
        outcome = Outcome.NOT_SUPPORTED
    exceptions = ", or ".join(dict.fromkeys(rule.reason for rule, _ in truths))
    sentence = f"{SENTENCES[Outcome.UPDATED]}{', unless ' if exceptions else ''}{exceptions}."
    return PropertyEffect(outcome, sentence, certain=not possible, by_default=bool(policies))


def _because(outcome: Outcome, reason: str, *, by_default: bool = False) -> PropertyEffect:
    return PropertyEffect(outcome, f"{SENTENCES[outcome]}, because {reason}.", by_default=by_default)


def _rules(behavior: UpdateBehavior, name: str, given: Mapping[object, object]) -> Iterator[UpdateRule]:
    """Yield the rules that may decide on a change of a property."""
    for rule in behavior.rules:
        is_tested = name in (*rule.newly_set, rule.one_side_empty, *rule.inner_changed[:1])
        if not rule.explains and (is_tested or concerns(rule, name)):
            yield rule
    keys, inputs, always = behavior.replaced_by_keys, behavior.replaced_by_inputs, behavior.always_replaced_when
    if keys is not None and name in keys:
        yield UpdateRule("replaced", f"a changed key is listed in `{keys[0]}`", only_may=True)
    if inputs is not None and name in (inputs.config, inputs.values):
        yield UpdateRule("replaced", f"`{inputs.replaces}` is set for a changed input", only_may=True)
    if any(policy in given for policy in always):
        reason = " and ".join(f"`{policy}` is {values[0]}" for policy, values in always.items())
        yield UpdateRule("replaced", reason, after=always)


def _holds(rule: UpdateRule, kind: ResourceType, name: str, given: Mapping[object, object]) -> bool | None:
    """Return whether a change of only this property meets a rule; None if that depends on its values."""
    tests = (rule.newly_set, rule.before_set, rule.decreased, rule.not_superset, rule.one_side_empty)
    depends = rule.only_may or rule.inner_changed or any(tests)
    for policy, values in rule.after.items():
        schema = kind.properties.get(policy)
        value = given.get(policy, schema.default if schema is not None else None)
        if policy == name or (value is not None and not isinstance(value, type(values[0]))):
            depends = True
        elif value not in values:
            return False
    return None if depends else True
