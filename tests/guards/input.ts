import type { Guard } from './guard.ts'

/** Input of calls. */
export const input: readonly Guard[] = [
  {
    against: 'numbers and truth values as text',
    file: 'server/engine/http/input.ts',
    text: 'const result = schema.safeParse(data, { reportInput: true })',
    without:
      'const result = schema.safeParse(JSON.parse(JSON.stringify(data ?? null).replace(/\\[("[^"]*")\\]/g, \'$1\')), { reportInput: true })',
    shownBy: ['server/app/input.test.ts', 'is never coerced and has no unknown keys'],
  },
  {
    against: 'depth without end',
    file: 'server/engine/http/input.ts',
    text: "      if (isTooDeep(text)) return done(problem('malformed.depth'))\n",
    without: '',
    shownBy: ['server/app/input.test.ts', 'is refused for its depth before it is read: its values would be wrong as well'],
  },
  {
    against: 'poisoned prototypes',
    file: 'server/engine/http/input.ts',
    text: "app.getDefaultJsonParser('error', 'error')",
    without: "app.getDefaultJsonParser('remove', 'remove')",
    shownBy: ['server/app/input.test.ts', 'is refused as %s'],
  },
  {
    against: 'broken UTF-8',
    file: 'server/engine/http/input.ts',
    text: "new TextDecoder('utf-8', { fatal: true })",
    without: "new TextDecoder('utf-8')",
    shownBy: ['server/app/input.test.ts', 'is refused as %s'],
  },
  {
    against: 'poisoned keys of an address',
    file: 'server/engine/http/input.ts',
    text: "    if (has) throw problem('malformed.parameter')\n",
    without: '',
    shownBy: ['server/app/input.test.ts', 'gives a repeated query key as a list and refuses poisoned keys'],
  },
  {
    against: 'bodies of other kinds',
    file: 'server/engine/http/input.ts',
    text: '  app.removeAllContentTypeParsers()\n',
    without:
      "  app.removeAllContentTypeParsers()\n  app.addContentTypeParser('*', { parseAs: 'string' }, (_request, _body, done) => done(null, {}))\n",
    shownBy: ['server/app/input.test.ts', 'is refused as %s'],
  },
  {
    against: 'bodies that are longer than their call needs',
    file: 'server/engine/http/body-limit.ts',
    text: 'public: 8 * kib',
    without: 'public: 800 * kib',
    shownBy: [
      'server/app/hostile-calls.contract.test.ts',
      'send no more than their kind of call needs: least where nobody is signed in',
    ],
  },
  {
    against: 'a body of ninety thousand keys',
    file: 'server/engine/records/check-body.ts',
    text: "  if (Object.keys(body).length > mostKeys) throw invalid([{ path: '', code: 'too-many', params: { max: mostKeys } }])\n",
    without: '',
    shownBy: [
      'server/app/hostile-calls.contract.test.ts',
      'are refused in a moment with a body of ninety thousand unknown keys, and a short answer',
    ],
  },
  {
    against: 'an answer that is longer than what it refuses',
    file: 'server/base/problems.ts',
    text: 'const mostFaults = 50',
    without: 'const mostFaults = 5_000',
    shownBy: ['server/app/hostile-calls.contract.test.ts', 'name fifty faults and say how many more there are: %s'],
  },
  {
    against: 'an order of six fields',
    file: 'src/schema/list-query.ts',
    text: 'const maxSorts = 5',
    without: 'const maxSorts = 50',
    shownBy: ['schema/list-query.test.ts', 'refuses %s'],
  },
  {
    against: 'a page beyond a million rows',
    file: 'src/schema/list-query.ts',
    text: ' &&\n    start <= maxStart',
    without: '',
    shownBy: ['schema/list-query.test.ts', 'refuses %s'],
  },
  {
    against: 'a day that is none',
    file: 'src/schema/list-query.ts',
    text: "if (field.type === 'date') return isDate(text) ? text : undefined",
    without: "if (field.type === 'date') return text",
    shownBy: ['server/engine/records/records-list.contract.test.ts', 'refuses %s as %s'],
  },
  {
    against: 'text that the database does not take',
    file: 'src/schema/format/plain-text.ts',
    text: "!text.includes('\\u0000') && ",
    without: '(text.length === 0 || text.length > 0) || ',
    shownBy: ['server/engine/records/records-create.contract.test.ts', 'refuses %s = %j'],
  },
  {
    against: 'a body that is longer than is written down',
    file: 'server/engine/http/body-limit.ts',
    text: 'public: 8 * kib',
    without: 'public: 9 * kib',
    shownBy: [
      'server/app/route-limits.contract.test.ts',
      'take a body to its last byte and not one more, of a told length or none: %s',
    ],
  },
  {
    against: 'a route whose calls nobody counts',
    file: 'server/engine/http/rate-limit.ts',
    text: 'if (request.routeOptions.config.countsItself) return',
    without: "if (request.routeOptions.config.countsItself || request.method === 'PUT') return",
    shownBy: [
      'server/app/route-limits.contract.test.ts',
      'count the calls of an address before anything else, and say when to come back',
    ],
  },
  {
    against: 'requests that two readers may cut in different places',
    file: 'server/engine/http/slow-body.ts',
    text: 'http: { headersTimeout: 30_000 }',
    without: 'http: { headersTimeout: 30_000, insecureHTTPParser: true }',
    shownBy: ['server/app/smuggled-requests.test.ts', 'is refused with 400 and ends its connection: %s'],
  },
  {
    against: 'a request with two hosts',
    file: 'server/engine/http/request-target.ts',
    text: 'hosts.length <= 1 && ',
    without: '',
    shownBy: ['server/app/smuggled-requests.test.ts', 'is refused with 400 for %s, and ends its connection'],
  },
  {
    against: 'an answer of the API that is kept because its address was written in another way',
    file: 'server/engine/http/headers.ts',
    text: '(request.routeOptions.url ?? request.url)',
    without: 'request.url',
    shownBy: ['server/app/smuggled-requests.test.ts', 'is one and the same, with the same headers: %s and %s'],
  },
]
