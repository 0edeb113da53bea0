import type { AppJob } from '../../service/web/app/types.ts'

export interface DayOfJobs<Job> {
  /** Local calendar day, `YYYY-M-D`, as a key. */
  day: string
  jobs: Job[]
}

/** Groups jobs by the local day of their creation, in the given order. */
export function byDay<Job extends Pick<AppJob, 'createdAt'>>(jobs: readonly Job[]): DayOfJobs<Job>[] {
  const days: DayOfJobs<Job>[] = []
  for (const job of jobs) {
    const at = new Date(job.createdAt)
    const day = `${at.getFullYear()}-${at.getMonth() + 1}-${at.getDate()}`
    const last = days.at(-1)
    if (last?.day === day) last.jobs.push(job)
    else days.push({ day, jobs: [job] })
  }
  return days
}
