import { describe, expect, it } from 'vitest'
import { placeRecordProblems } from './field-problems.ts'

const invalid = (...problems: [path: string, code: string][]) => ({
  code: 'invalid_input' as const,
  errors: problems.map(([path, code]) => ({ path, code, message: 'not shown' })),
})

describe('placeRecordProblems', () => {
  it('places every problem of one answer at its field', () => {
    const error = invalid(
      ['name', 'reserved'],
      ['target', 'port'],
      ['options.tls_server_name', 'invalid_format'],
      ['access.0', 'invalid_value'],
    )
    expect(placeRecordProblems(error)).toEqual({
      fields: [
        { field: 'name', code: 'reserved' },
        { field: 'port', code: 'port' },
        { field: 'tls_server_name', code: 'invalid_format' },
        { field: 'access', code: 'invalid_value' },
      ],
      unplaced: false,
    })
  })

  it('splits target problems between scheme, host and port', () => {
    const error = invalid(['target', 'scheme'], ['target', 'host'], ['body.target', 'too_big'])
    expect(placeRecordProblems(error).fields.map(problem => problem.field)).toEqual([
      'scheme',
      'host',
      'host',
    ])
  })

  it('knows the refusals that belong to one field', () => {
    expect(placeRecordProblems({ code: 'name_taken', errors: [] })).toEqual({
      fields: [{ field: 'name', code: 'name_taken' }],
      unplaced: false,
    })
    expect(placeRecordProblems({ code: 'access_needs_http', errors: [] }).fields).toEqual([
      { field: 'access', code: 'access_needs_http' },
    ])
  })

  it('says when something has no field', () => {
    expect(placeRecordProblems({ code: 'record_limit', errors: [] })).toEqual({
      fields: [],
      unplaced: true,
    })
    expect(placeRecordProblems(invalid(['name', 'required'], ['router', 'too_small']))).toEqual({
      fields: [{ field: 'name', code: 'required' }],
      unplaced: true,
    })
  })
})
