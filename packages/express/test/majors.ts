import express5 from "express"
import express4 from "express4"

export type Major = "4" | "5"

const factories: Readonly<Record<Major, typeof express5>> = { "4": express4, "5": express5 }

export const majors: readonly Major[] = ["4", "5"]

export function expressOf(major: Major): typeof express5 {
  return factories[major]
}
