import { useEffect, useState } from "react"

/** Counts down from `wait` to 0, in seconds. Browsers slow down timers of hidden pages, so it reads the clock. */
export function useSecondsUntil(wait: number): number {
  const [end] = useState(() => Date.now() + wait * 1000)
  const [seconds, setSeconds] = useState(wait)
  useEffect(() => {
    const timer = setInterval(() => {
      const left = Math.max(0, Math.ceil((end - Date.now()) / 1000))
      setSeconds(left)
      if (left === 0) clearInterval(timer)
    }, 1000)
    return () => clearInterval(timer)
  }, [end])
  return seconds
}
