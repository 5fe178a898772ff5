"use client"

export * from "@latchkey/react/components"
