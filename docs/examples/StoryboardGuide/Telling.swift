import Movies
import Playback

/// Plays a storyboard file in a player, and shows the choices.
public func playStory(
  _ path: String, in player: Player, show: @escaping @Sendable ([StoryboardControls.Choice]) -> Void
) throws -> StoryboardPlayer {
  // guide: telling a story
  var clips = StoryboardClips(storyboardAt: path)
  let (storyboard, _) = try Storyboard.open(path, clips: &clips)
  let story = try StoryboardPlayer(storyboard, clips: clips, player: player) { effect in
    if case .showControls(let controls) = effect { show(controls.choices) }
  }
  story.begin()
  player.play()
  // end
  return story
}
