"""The pages of the codes that the reading of a text gives; those of checks stand in the checks."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

SYNTAX_PAGES: Mapping[str, str] = MappingProxyType(
    {
        "yaml-syntax": """# A text that is not YAML

The text breaks a rule of YAML, so that it cannot be read from here on. What stands around it is checked all the same
as far as it can be read.

## Why

Heat rejects the whole template at the first such place.

## Example

    name: a: b         # the second colon
    name: "a: b"       # right

## How to fix it

Look at the marked place and the line above it: mostly a quote, a bracket or a space at the start of a line is missing
or too much. Tabs cannot indent.
""",
        "client-syntax": """# A text that Heat's client cannot read

Heat could read the text, but python-heatclient reads it first, and reads it otherwise: what begins with `{` has to be
JSON, and blanks at the start of the text are cut off.

## Why

The command `openstack stack create` ends with an error before Heat sees the template.

## Example

    {"heat_template_version": "2021-04-16", "resources": {},}     # JSON allows no comma at the end

## How to fix it

Correct the JSON, or write the template as YAML in lines; begin its first line without blanks.
""",
        "duplicate-key": """# A key that its map has twice

The same key stands in one map more than once.

## Why

Heat takes the last one without a word, so that what the others say is lost.

## Example

    network: private
    network: public     # this one counts

## How to fix it

Rename one of them, or delete the one that is not meant.
""",
        "no-version": """# A template without a version

A template starts with a line that names its version; there is none here.

## Why

Heat rejects the template: the version decides which functions and sections there are.

## Example

    heat_template_version: 2021-04-16
    resources: {}

## How to fix it

Add the line. In templates for AWS it is `AWSTemplateFormatVersion: 2010-09-09`.
""",
        "jinja-template": """# A template of a template

The text has the marks of Jinja, `{% if %}` or `{{ name }}`: another program makes the template from it.

## Why

Heat reads only what Jinja makes of it. With statements such as `{% if %}` nothing certain can be said here. A mere
`{{ name }}` may be meant as text, and Heat rejects it where it is not in quotes.

## Example

    {% for number in range(3) %}
      server_{{ number }}: {type: OS::Nova::Server}
    {% endfor %}

## How to fix it

Let Jinja write the template, and open what it wrote. Put quotes around what is meant as text.
""",
        "too-deep": """# Values too deep within each other

Maps and lists lie within each other deeper than a template can have them.

## Why

Heat cannot work with such a template: it fails while it reads it.

## Example

    a: [[[[[[[[[[[[]]]]]]]]]]]]     # and so on, some hundred times

## How to fix it

Close what was left open, or take the value apart.
""",
        "too-large": """# More than Heat accepts

The template has more characters than Heat accepts, or its aliases stand for more values than can be written out; an
alias that contains itself stands for endlessly many.

## Why

Heat rejects a template of more than 524,288 characters (`max_template_size` of heat.conf), and writes all aliases
out. A text of more than 1,048,576 characters is not even looked into: no request to Heat may be as long
(`max_json_body_size`).

## Example

    a: &a [1, 2]
    b: &b [*a, *a]     # doubles with every line
    c: &c [*b, *b]

## How to fix it

Split the template into nested ones, and bring long texts in by `get_file`.
""",
        "control-character": """# A character that YAML does not allow

The text has a character that cannot be seen and is not allowed in YAML.

## Why

Heat rejects the whole template. Such characters mostly come from copying out of other programs.

## Example

    name: "a\\x07b"      # written as an escape in double quotes it is allowed

## How to fix it

Remove it, or write it as an escape in double quotes.
""",
        "unknown-tag": """# A tag that Heat does not know

A value starts with a tag, such as `!Ref`. The short forms of functions are a thing of AWS CloudFormation.

## Why

Heat knows the tags of YAML only and rejects the template.

## Example

    value: !Ref server        # CloudFormation
    value: {Ref: server}      # Heat

## How to fix it

Write the function as a map, or put the text in quotes if it only starts with an exclamation mark.
""",
        "complex-key": """# A list or map as a key

The key of a pair is a list or a map.

## Why

Heat rejects it: keys are texts, numbers and the like.

## Example

    {{ name }}: a          # braces are maps in YAML
    "{{ name }}": a        # a text

## How to fix it

Put it in quotes if it is meant as a text.
""",
        "merge-key": """# A merge of something that is not a map

The key `<<` puts the pairs of other maps into this one. Here it is given something else.

## Why

Heat rejects it.

## Example

    <<: [*common, name]      # `name` is a text
    <<: *common              # right

## How to fix it

Give it a map, an alias of a map, or a list of these.
""",
        "invalid-value": """# A value that looks like a number or a date, and is none

By its form YAML takes this value for a number, a date or another special value, which it then is not.

## Why

Heat cannot read it and rejects the whole template.

## Example

    mask: 0b_          # starts like a binary number
    mask: "0b_"        # a text

## How to fix it

Put it in quotes.
""",
        "not-a-mapping": """# A text that is not a map

A template, and an environment too, is a map of sections. This text is a list or a single value.

## Why

Heat rejects it.

## Example

    - resources:          # a list
    resources: {}         # right

## How to fix it

Remove what comes before the first section, such as a dash or a missing colon behind its name.
""",
        "empty-section": """# A section of an environment with nothing in it

A section of an environment has a name and no content.

## Why

Heat rejects such an environment, while it accepts the absence of the section.

## Example

    parameters:           # nothing follows
    parameters: {}        # right

## How to fix it

Write `{}`, or remove the section.
""",
    }
)
"""By code, as Markdown."""
