import { execFileSync } from 'node:child_process'
import { expect, test } from 'vitest'
import { confineByJobObject, extendedLimits } from './job-object.ts'

/** The structure as winnt.h declares it; ctypes lays it out as compilers do. */
const reading = `
import ctypes as c, json, sys
class Basic(c.Structure):
    _fields_ = [('PerProcessUserTimeLimit', c.c_int64), ('PerJobUserTimeLimit', c.c_int64), ('LimitFlags', c.c_uint32),
      ('MinimumWorkingSetSize', c.c_size_t), ('MaximumWorkingSetSize', c.c_size_t), ('ActiveProcessLimit', c.c_uint32),
      ('Affinity', c.c_size_t), ('PriorityClass', c.c_uint32), ('SchedulingClass', c.c_uint32)]
class Counters(c.Structure):
    _fields_ = [(name, c.c_uint64) for name in ('Reads', 'Writes', 'Others', 'ReadBytes', 'WrittenBytes', 'OtherBytes')]
class Extended(c.Structure):
    _fields_ = [('Basic', Basic), ('IoInfo', Counters)] + [(name, c.c_size_t) for name in
      ('ProcessMemoryLimit', 'JobMemoryLimit', 'PeakProcessMemoryUsed', 'PeakJobMemoryUsed')]
given = bytes.fromhex(sys.argv[1])
read = Extended.from_buffer_copy(given)
whole = {name: getattr(read, name) for name, _ in Extended._fields_[2:]} | {name: getattr(read.Basic, name) for name, _ in Basic._fields_}
print(json.dumps({'left': len(given) - c.sizeof(Extended), **{name: value for name, value in whole.items() if value}}))
`

test('the limits of a job object are where Windows reads them', () => {
  const limits = extendedLimits({ processes: 70, bytes: 6 * 2 ** 30 })
  expect(JSON.parse(execFileSync('python3', ['-c', reading, limits.toString('hex')]).toString())).toEqual({
    left: 0,
    LimitFlags: 0x2608,
    ActiveProcessLimit: 70,
    JobMemoryLimit: 6 * 2 ** 30,
  })
})

test.runIf(process.platform !== 'win32')('elsewhere there is no job object, which is said', () => {
  expect(confineByJobObject(70, 2 ** 32)).toBe(false)
})
