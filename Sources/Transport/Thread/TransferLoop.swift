import CCurl
import DecodePool
import Glibc

/// The transport's thread.
///
/// Holds no reference to the transport, whose end is the thread's.
final class TransferLoop {
  private let mailbox: TransferMailbox
  private let multi: CurlMulti
  private let options: TransportOptions
  private let log: AccessLog
  private let gate: AddressGate
  private var active: [UnsafeMutableRawPointer: ActiveTransfer] = [:]

  init(_ mailbox: TransferMailbox, _ multi: CurlMulti, _ options: TransportOptions, _ log: AccessLog) {
    self.mailbox = mailbox
    self.multi = multi
    self.options = options
    self.log = log
    gate = AddressGate(proxies: options.proxies)
  }

  /// Runs until the transport has gone.
  func run() {
    Self.blockPipeSignal()
    while let mail = mailbox.take() {
      mail.added.forEach(begin)
      mail.touched.forEach(attend)
      multi.perform()
      while let (easy, code) = multi.takeFinished() {
        if let transfer = active[easy] { proceed(transfer, transfer.conclude(code), isComplete: true) }
      }
      checkTimes()
      multi.poll(milliseconds: pause)
    }
    for transfer in active.values {
      transfer.channel.finish(.cancelled)
      end(transfer, isComplete: false)
    }
  }

  /// A connection that breaks while it is written to is an error of its transfer, not a signal that ends the program.
  private static func blockPipeSignal() {
    var signals = sigset_t()
    sigemptyset(&signals)
    sigaddset(&signals, SIGPIPE)
    pthread_sigmask(SIG_BLOCK, &signals, nil)
  }

  private func begin(_ channel: TransferChannel) {
    guard !channel.withState({ $0.isOver }) else { return }
    gate.allow(channel.request.origin)
    do throws(TransportError) {
      add(
        try ActiveTransfer(
          channel, at: channel.request.url, redirects: 0, waitingSince: monotonicNanoseconds(), options: options, gate: gate))
    } catch {
      channel.finish(error)
    }
  }

  private func add(_ transfer: ActiveTransfer) {
    active[transfer.easy.pointer] = transfer
    guard multi.add(transfer.easy) else {
      active[transfer.easy.pointer] = nil
      return transfer.channel.finish(.outOfResources("libcurl takes no more transfers"))
    }
  }

  /// Ends a request.
  ///
  /// - Parameter isComplete: false if libcurl has not come to its end. Its connection is closed then: what the server goes on
  ///   sending would come before the answer to the next request.
  private func end(_ transfer: ActiveTransfer, isComplete: Bool) {
    if !isComplete { transfer.easy.forbidReuse() }
    multi.remove(transfer.easy)
    active[transfer.easy.pointer] = nil
    log.append(transfer.logEntry)
  }

  /// Does what a reader asked for: ends the transfer, or lets more bytes come.
  private func attend(_ channel: TransferChannel) {
    guard let transfer = active.values.first(where: { $0.channel === channel }) else { return }
    if channel.withState({ $0.failure }) == .cancelled {
      end(transfer, isComplete: false)
    } else {
      transfer.resumeIfAsked()
    }
  }

  private func proceed(_ transfer: ActiveTransfer, _ conclusion: ActiveTransfer.Conclusion, isComplete: Bool) {
    end(transfer, isComplete: isComplete)
    guard case .redirect(let url) = conclusion, !transfer.channel.withState({ $0.isOver }) else { return }
    do throws(TransportError) {
      add(try transfer.following(to: url))
    } catch {
      transfer.channel.finish(error)
    }
  }

  private func checkTimes() {
    let now = monotonicNanoseconds()
    for transfer in Array(active.values) {
      if let conclusion = transfer.check(at: now) { proceed(transfer, conclusion, isComplete: false) }
    }
  }

  /// The time until the next check, in milliseconds; libcurl's own times may end the waiting earlier.
  private var pause: Int32 {
    guard let next = active.values.compactMap(\.nextCheck).min() else { return 60_000 }
    let now = monotonicNanoseconds()
    return next <= now ? 0 : Int32(min((next - now) / 1_000_000 + 1, 60_000))
  }
}
