/** Decoded query or body parameters. The prototype is `null`. */
export type Params = Readonly<Record<string, string>>
