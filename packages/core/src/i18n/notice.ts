/** A page with a heading and a sentence. */
export interface Notice {
  readonly heading: string
  readonly text: string
}
