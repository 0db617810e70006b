type Placeholder = { sign: string; means: string; places: string }

/** Values that stand for another one. A test looks for each of them in the examples. */
export const placeholders: readonly Placeholder[] = [
  { sign: '$now', means: 'the moment of the call', places: 'rules; `set`, `body` of actions; filters of figures' },
  { sign: '$zone', means: 'the time zone of the browser', places: '`body` of actions' },
  { sign: '$now', means: 'the moment at which the record is made', places: '`default` of a dateTime' },
  { sign: '$today', means: 'the day in UTC at which the record is made', places: '`default` of a date' },
  {
    sign: '$now-7d',
    means: 'the moment so many days before (`-`) or after (`+`); in a filter the day where the field is a date',
    places: 'filters of figures and of counts in the menu',
  },
  {
    sign: '$today+90d',
    means: 'the day in UTC, also so many days before or after it; its beginning where the field is a dateTime',
    places: 'filters of views, inbox tabs and figures; `default` of a date; `$today` alone in rules',
  },
  {
    sign: '{x}+1y',
    means: 'so many days (`d`), weeks (`w`), months (`m`) or years (`y`) after (`+`) or before (`-`) the time in field `x`',
    places: '`default` of a date or a dateTime',
  },
  { sign: '$user.id', means: 'id of the caller', places: 'rules; `set`, `body`, `start` of actions; filters of views' },
  { sign: '$user.id', means: 'id of the person who makes the record', places: '`default` of a reference to user' },
  { sign: '$user.role', means: 'role of the caller', places: 'rules' },
  {
    sign: '$record.x',
    means: 'field `x` of the same record',
    places: 'rules; `set`, `body`, `start` of actions; `match` of tabs',
  },
  { sign: '$form.x', means: 'value that the form has for `x`', places: '`set`, `body` of actions; `query` of checks' },
  { sign: '$row.x', means: 'field `x` of the row whose menu was opened', places: '`body` of an action in `rowActions`' },
  { sign: '$from.x', means: 'value `x` of the answer of `from`', places: '`body` of actions' },
  { sign: '{x}', means: 'value of field `x` in the form; empty as long as it has none', places: '`options` of references' },
  { sign: '{x}', means: 'value of field `x` of the same record; alone or in a text', places: '`default`' },
  { sign: '{x.ago}', means: 'how long ago the moment `x` was; `{x}` its text', places: '`text` of `why`' },
  { sign: '{id}', means: 'id of the record', places: '`call` of actions, `from` of tabs and actions, `api`' },
  { sign: '{value}', means: 'what has to be typed', places: '`ask` of a guard' },
]
