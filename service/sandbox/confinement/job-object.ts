import { createRequire } from 'node:module'

/**
 * A job object of Windows around a worker and every program it starts; see "Job Objects" and "Nested Jobs" in Microsoft's
 * documentation of the Windows API. It limits memory and processes, and ends all of them with the worker. It does not restrict files
 * or the network, and may not restrict the desktop, since it is nested in the job that libuv puts the worker into.
 */

/** JobObjectExtendedLimitInformation of JOBOBJECTINFOCLASS. */
const EXTENDED_LIMITS = 9
/** JOB_OBJECT_LIMIT_ACTIVE_PROCESS, _JOB_MEMORY, _DIE_ON_UNHANDLED_EXCEPTION (no dialog, no dump) and _KILL_ON_JOB_CLOSE of winnt.h. */
const LIMITS = 0x0008 | 0x0200 | 0x0400 | 0x2000

/** Windows counts what is committed, which is more than what is used. */
const COMMITTED = 2

/** `JOBOBJECT_EXTENDED_LIMIT_INFORMATION` of winnt.h on 64-bit processors, all else being zero. */
export function extendedLimits({ processes, bytes }: { processes: number; bytes: number }): Buffer {
  const limits = Buffer.alloc(144)
  limits.writeUInt32LE(LIMITS, 16)
  limits.writeUInt32LE(processes, 40)
  limits.writeBigUInt64LE(BigInt(bytes), 120)
  return limits
}

/**
 * Puts this process and every program that it starts from now on into a job object, which lasts as long as this process. It cannot be
 * undone.
 * @returns whether it succeeded
 */
export function confineByJobObject(processes: number, memoryLimitBytes: number): boolean {
  try {
    const koffi: typeof import('koffi') = createRequire(import.meta.url)('koffi')
    const kernel = koffi.load('kernel32.dll')
    const create = kernel.func('intptr_t __stdcall CreateJobObjectW(void *attributes, void *name)')
    const set = kernel.func(
      'int __stdcall SetInformationJobObject(intptr_t job, int kind, const void *information, uint32_t bytes)',
    )
    const assign = kernel.func('int __stdcall AssignProcessToJobObject(intptr_t job, intptr_t process)')
    const self = kernel.func('intptr_t __stdcall GetCurrentProcess()')
    const limits = extendedLimits({ processes, bytes: COMMITTED * memoryLimitBytes })
    const job = create(null, null)
    return Boolean(job && set(job, EXTENDED_LIMITS, limits, limits.length) && assign(job, self()))
  } catch {
    return false
  }
}
