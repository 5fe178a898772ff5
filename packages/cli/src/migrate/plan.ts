/** The change of one file. */
export interface Change {
  readonly path: string
  /** Undefined for a new file. */
  readonly before: string | undefined
  /** Undefined for a deleted file. */
  readonly after: string | undefined
}

/** Something that you need to know or to check. */
export interface Note {
  /** The file and, if known, the line. */
  readonly where: string | undefined
  readonly text: string
}

export interface Plan {
  readonly changes: readonly Change[]
  readonly notes: readonly Note[]
}

/** The files during a migration. Each step sees the changes of the previous ones. */
export class Draft {
  private readonly originals = new Map<string, string | undefined>()
  private readonly texts = new Map<string, string | undefined>()
  private readonly read: (path: string) => string | undefined
  readonly notes: Note[] = []

  /** @param read returns the text of a file. Undefined if it doesn't exist */
  constructor(read: (path: string) => string | undefined) {
    this.read = read
  }

  get(path: string): string | undefined {
    if (!this.originals.has(path)) {
      const text = this.read(path)
      this.originals.set(path, text)
      this.texts.set(path, text)
    }
    return this.texts.get(path)
  }

  set(path: string, text: string | undefined): void {
    this.get(path)
    this.texts.set(path, text)
  }

  note(text: string, where?: string): void {
    if (!this.notes.some((one) => one.text === text && one.where === where)) this.notes.push({ where, text })
  }

  plan(): Plan {
    const paths = [...this.originals.keys()].toSorted()
    const changes = paths.map((path) => ({ path, before: this.originals.get(path), after: this.texts.get(path) }))
    return { changes: changes.filter(({ before, after }) => before !== after), notes: this.notes }
  }
}
