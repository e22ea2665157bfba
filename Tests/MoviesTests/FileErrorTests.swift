import Movies
import Testing

@Suite(.timeLimit(.minutes(20))) struct FileErrorTests {
  @Test func namesFileAndLine() {
    #expect("\(FileError(file: "cut.yaml", line: 3, message: "is wrong"))" == "cut.yaml:3: is wrong")
    #expect("\(FileError(file: "cut.yaml", line: nil, message: "is wrong"))" == "cut.yaml: is wrong")
  }
}
