/** A point of the run. Later points are greater. The order decides, not a clock. */
export type Moment = number

/** A session, as the client who signed in knows it. */
export interface Entry {
  readonly email: string
  /** The value of the session cookie. */
  readonly token: string
  /** When the sign-in was answered. */
  readonly started: Moment
  /** When the first sign-out was sent. */
  ending?: Moment
  /** When a sign-out was answered with success. */
  ended?: Moment
}

/** A request that failed. */
export interface Failure {
  readonly process: number
  readonly from: Moment
  readonly to: Moment
  readonly what: string
}

/** While a server, or one process, may fail. */
export interface Outage {
  readonly name: string
  /** The process. Undefined for a server, on which all processes depend. */
  readonly process?: number
  readonly from: Moment
  to?: Moment
  failures: number
}

/** What a read of `/me` answered: the email of the user, or `null` for no session. */
export interface Reading {
  readonly from: Moment
  readonly to: Moment
  readonly email: string | null
}

/** Keeps account of what clients were told, independent of the databases. */
export class Ledger {
  readonly entries: Entry[] = []
  readonly violations: string[] = []
  readonly outages: Outage[] = []
  readonly failures: Failure[] = []
  readonly counts = { signIns: 0, reads: 0, readsAfterSignOut: 0, signOuts: 0 }
  #now = 0
  #done = 0
  readonly #waiting: { readonly at: number; readonly resolve: () => void }[] = []

  now(): Moment {
    return ++this.#now
  }

  signedIn(email: string, token: string): Entry {
    const entry = { email, token, started: this.now() }
    this.entries.push(entry)
    this.counts.signIns++
    return entry
  }

  signedOut(entry: Entry): void {
    entry.ended ??= this.now()
    this.counts.signOuts++
  }

  read(entry: Entry, { from, to, email }: Reading): void {
    this.counts.reads++
    const { ending = Infinity, ended = Infinity } = entry
    if (from > ended) this.counts.readsAfterSignOut++
    if (email !== null && email !== entry.email)
      this.violations.push(`A session of ${entry.email} was read as ${email}`)
    if (email === null && to < ending) this.violations.push(`The session of ${entry.email} was lost`)
    if (email !== null && from > ended)
      this.violations.push(`The session of ${entry.email} was read after its sign-out`)
  }

  failed(failure: Failure): void {
    this.failures.push(failure)
  }

  /** Opens an outage, which the returned function closes. */
  outage(name: string, process?: number): () => void {
    const outage: Outage = { name, ...(process !== undefined && { process }), from: this.now(), failures: 0 }
    this.outages.push(outage)
    return () => {
      outage.to = this.now()
    }
  }

  /** Counts a finished request. */
  progress(): void {
    this.#done++
    while (this.#waiting[0] !== undefined && this.#waiting[0].at <= this.#done) this.#waiting.shift()?.resolve()
  }

  get requests(): number {
    return this.#done
  }

  /** Resolves after that many more requests. */
  after(requests: number): Promise<void> {
    const at = this.#done + requests
    return new Promise((resolve) => {
      this.#waiting.push({ at, resolve })
      this.#waiting.sort((one, other) => one.at - other.at)
    })
  }

  /** Gives each failure to an outage that it overlaps with. @returns those outside of every outage */
  unexplained(): readonly Failure[] {
    return this.failures.filter((failure) => {
      const causes = this.outages.filter((outage) => explains(outage, failure))
      const cause = causes.find(({ process }) => process !== undefined) ?? causes[0]
      if (cause !== undefined) cause.failures++
      return cause === undefined
    })
  }
}

function explains({ process, from, to = Infinity }: Outage, failure: Failure): boolean {
  return (process === undefined || process === failure.process) && failure.from < to && failure.to > from
}
