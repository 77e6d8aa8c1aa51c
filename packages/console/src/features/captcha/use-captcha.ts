import type { Captcha, CaptchaScene, CaptchaValue, workKind } from '@homeport/contract'
import { CallError } from '@homeport/contract'
import { useCallback, useEffect, useRef, useState } from 'react'
import { answerCaptcha, fetchCaptcha } from './api/captcha.ts'
import { createTraceRecorder } from './trace.ts'
import { findNonces } from './work.ts'

/** What the server and the user are at. */
type Phase = 'loading' | 'ready' | 'checking' | 'working'

/** A challenge for the eye. */
export type PictureCaptcha = Exclude<Captcha, { kind: typeof workKind }>

/**
 * The one place where captchas talk to the server: brings a challenge, sends the one answer with the hand's trace, brings
 * another where it was wrong, gives the ticket on.
 */
export function useCaptcha(scene: CaptchaScene, onTicket: (ticket: string) => void) {
  const [challenge, setChallenge] = useState<PictureCaptcha | null>(null)
  const [phase, setPhase] = useState<Phase>('loading')
  const [workShare, setWorkShare] = useState(0)
  const [isWrong, setWrong] = useState(false)
  const [failure, setFailure] = useState<unknown>(null)
  const [recorder] = useState(createTraceRecorder)
  const running = useRef(new AbortController())

  /** Only what began last may show anything. */
  const begin = useCallback(() => {
    running.current.abort()
    running.current = new AbortController()
    setFailure(null)
    return running.current.signal
  }, [])

  const settle = useCallback((signal: AbortSignal, error: unknown) => {
    if (signal.aborted) return
    setFailure(error)
    setPhase('ready')
  }, [])

  const load = useCallback(async () => {
    const signal = begin()
    setPhase('loading')
    setChallenge(null)
    try {
      const next = await fetchCaptcha(scene, 'eye')
      if (signal.aborted || next.kind === 'work') return
      recorder.start()
      setChallenge(next)
      setPhase('ready')
    } catch (error) {
      settle(signal, error)
    }
  }, [scene, begin, settle, recorder])

  const answer = async (value: CaptchaValue) => {
    if (challenge === null || phase !== 'ready') return
    const signal = begin()
    setPhase('checking')
    try {
      const ticket = await answerCaptcha({ key: challenge.key, value, trace: recorder.read() })
      if (!signal.aborted) onTicket(ticket)
    } catch (error) {
      if (signal.aborted) return
      const isRefused = error instanceof CallError && error.code === 'captcha_wrong'
      setWrong(isRefused)
      if (isRefused) await load()
      else settle(signal, error)
    }
  }

  const work = async () => {
    const signal = begin()
    setWorkShare(0)
    setPhase('working')
    try {
      const task = await fetchCaptcha(scene, 'work')
      if (task.kind !== 'work') return
      const nonces = await findNonces(task, signal, setWorkShare)
      const ticket = await answerCaptcha({ key: task.key, value: { nonces } })
      if (!signal.aborted) onTicket(ticket)
    } catch (error) {
      settle(signal, error)
    }
  }

  useEffect(() => {
    void load()
    return () => running.current.abort()
  }, [load])

  return {
    /** Null while there is none. */
    challenge,
    phase,
    /** The last answer was wrong. */
    isWrong,
    failure,
    /** Brings another challenge. */
    refresh: () => {
      setWrong(false)
      return load()
    },
    answer,
    work,
    /** Share of the work that is done, from 0 to 1. */
    workShare,
    /** Notes where the hand is. */
    note: recorder.add,
  }
}
