import { expect, test } from 'vitest'
import { CircuitBreaker } from './circuit.ts'

test('a host that fails five times within a minute is not asked for a minute, other hosts still are', () => {
  let now = 0
  const circuit = new CircuitBreaker(() => now)
  for (let failure = 0; failure < 4; failure++) {
    circuit.failed('a.example')
    now += 1000
  }
  expect(circuit.openFor('a.example')).toBe(0)
  circuit.failed('a.example')
  expect(circuit.openFor('a.example')).toBe(60_000)
  expect(circuit.openFor('b.example')).toBe(0)
  now += 59_999
  expect(circuit.openFor('a.example')).toBe(1)
  now += 1
  expect(circuit.openFor('a.example')).toBe(0)
})

test('failures further apart are not counted together, and a success resets the count', () => {
  let now = 0
  const circuit = new CircuitBreaker(() => now)
  for (let failure = 0; failure < 10; failure++) {
    circuit.failed('a.example')
    now += 20_000
  }
  expect(circuit.openFor('a.example')).toBe(0)
  for (let failure = 0; failure < 4; failure++) circuit.failed('b.example')
  circuit.succeeded('b.example')
  circuit.failed('b.example')
  expect(circuit.openFor('b.example')).toBe(0)
})
